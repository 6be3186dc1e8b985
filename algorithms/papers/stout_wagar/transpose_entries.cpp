// The entry of transpose.cpp, with its cost and phases.

#include "algorithms/papers/stout_wagar/transpose.hpp"

#include "algorithms/families.hpp"
#include "algorithms/programs/cut.hpp"
#include "base/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dcube::detail {

Phases LogicalInversion::phases() const
{
    const auto last = static_cast<Step>((x - 1) * pace() + 1);
    return {{1, last, "first hops",
             fmt::format("For every position in which a node's row and column differ, it sends {} over each of two "
                         "dimensions, to nodes that pass them on.",
                         counted(x, "packet"))},
            {2, last + 1, "second hops",
             "The nodes between pass every packet on over the other dimension of its position in the step after it "
             "has come."}};
}

CaseFormula logical_inversion_formula(unsigned positions, const Exact& bytes, const Problem& problem,
                                      std::string (*packets_time)(std::string_view stages, std::string_view packets))
{
    CaseFormula formula{.text = {}, .letters = {{"c", positions}}};
    if (follow_each_other(positions, packets_for(positions, bytes, problem)))
        formula.text = packets_time("(X + 1)", "X");
    else
        formula.text = problem.tuning.groups == 0 ? packets_time("2 c", "c") : packets_time("2 X", "X");
    return formula;
}

std::string wrong_packets(unsigned positions, std::size_t bytes, const Problem& problem)
{
    const std::size_t x = problem.tuning.groups;
    const std::size_t most = std::max<std::size_t>(bytes, 2 * std::size_t{positions});
    if (x != 0 && x < positions)
        return fmt::format("it needs {} or more packets per link here, and {} asked for", positions,
                           x == 1 ? "1 is" : fmt::format("{} are", x));
    if (x > most)
        return fmt::format("it can cut a node's {} in at most {} per link, and {} are asked for",
                           counted(bytes, "byte"), counted(most, "packet"), x);
    return {};
}

namespace {

Phases logical_cubes_phases(const Topology& topology, const Problem& problem)
{
    return LogicalInversion{{topology.dimension() / 2},
                            topology.dimension() / 2,
                            packets_for(topology.dimension() / 2, matrix_bytes(topology, problem), problem)}
        .phases();
}

Exact logical_cubes_time(const Topology& topology, const Problem& problem)
{
    const unsigned c = topology.dimension() / 2;
    const std::size_t bytes = matrix_bytes(topology, problem);
    return logical_inversion_time(c, bytes, packets_for(c, bytes, problem), LinkCosts(problem.link));
}

// m/2 bytes go over each half of a logical link.
std::optional<CaseFormula> logical_cubes_formula(const Topology& topology, const Problem& problem)
{
    return logical_inversion_formula(topology.dimension() / 2, matrix_bytes(topology, problem), problem,
                                     [](std::string_view stages, std::string_view packets) {
                                         return fmt::format("{} (tau ceil(m/(2 {})) + beta)", stages, packets);
                                     });
}

double logical_cubes_pieces(const Topology& topology, const Problem& problem)
{
    const unsigned c = topology.dimension() / 2;
    const std::size_t x = packets_for(c, matrix_bytes(topology, problem), problem);
    return 4.0 * c * topology.nodes() * static_cast<double>(x);
}

std::string only_submatrices(const Topology& topology, const Problem& problem)
{
    if (in_rows(problem.layout))
        return "it is for layouts by submatrices";
    return wrong_packets(topology.dimension() / 2, matrix_bytes(topology, problem), problem);
}

}  // namespace

std::vector<Entry> transpose_family()
{
    return {matrix_entry(
        {{.collective = Collective::matrix_transpose, .name = "logical-cubes", .obstacle = only_submatrices},
         {.aliases = {"TS", "L.C. INVERSION"},
          .paper = "Stout & Wagar 1990, section 7.2",
          .summary = "two 2-paths for every logical link, packets in a pipeline",
          .idea = "Node (a, b) sends to (b, a): in every position where a and b differ two bits have to change, so on "
                  "average half of the bits do. The two paths of two hops, one through a node that has nothing of its "
                  "own to send there, make one logical link of a smaller cube, on which X packets follow each other.",
          .formula = {.words =
                          "Here X is searched: the smallest number of packets from 2 c on with X (X + 1) >= tau m/(2 "
                          "beta); or c of them, which then cannot follow each other in every stage, if that is faster"},
          .paper_note = "L.C. INVERSION, with this time. A logical cube also needs the bits fixed in which row and "
                        "column agree (errata, 3), and a pipeline needs X >= 2 (errata, 14).",
          .tunable = {.groups = true},
          .time = in_ns(logical_cubes_time),
          .case_formula = logical_cubes_formula,
          .phases = logical_cubes_phases}},
        logical_cubes, {.pieces = logical_cubes_pieces})};
}

}  // namespace dcube::detail
