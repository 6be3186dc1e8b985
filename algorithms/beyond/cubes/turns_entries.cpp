// The entries of turns.cpp, with their costs and phases.

#include "algorithms/beyond/cubes/turns.hpp"

#include "algorithms/families.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/papers/stout_wagar/all_to_all.hpp"
#include "algorithms/papers/stout_wagar/matrix_grid.hpp"
#include "algorithms/papers/stout_wagar/transpose.hpp"
#include "algorithms/programs/cut.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "base/arithmetic.hpp"

#include <dcube/matrix.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

namespace dcube::detail {

namespace {

// The phases of the two forms of a turn, in `steps` steps per position.
Phases turn_phases(unsigned c, unsigned steps)
{
    PhaseLine line;
    for (unsigned s = 0; s < c; ++s) {
        const std::string who = c == 1 ? "Every message"
                                       : fmt::format("Each of a message's {} parts, the first in position {} and the "
                                                     "others in the next ones,",
                                                     c, s + 1);
        line.add(steps, {fmt::format("position {} of {}", s + 1, c),
                         steps == 1 ? fmt::format("{} makes one hop forward on the 4-cycle of nodes there.", who)
                                    : fmt::format("{} sends three quarters one hop forward on the 4-cycle of nodes "
                                                  "there, and one quarter three hops back.",
                                                  who)});
    }
    return line.take();
}

Phases two_halves_phases(const Topology& topology, const Problem& problem)
{
    const unsigned c = topology.dimension() / 2;
    if (c < 2)
        return turn_phases(c, 3);
    const LogicalInversion transpose{
        {c}, c - 1, packets_for(c - 1, Exact(matrix_bytes(topology, problem)) / 2, problem)};
    const Step turned = both_halves_turned(transpose);
    return PhaseLine()
        .add(turned, {"transpose one half, turn the other",
                      fmt::format("One half of every message transposes its lower {}, the other one turns the top "
                                  "position, over other links.",
                                  counted(c - 1, "position"))})
        .add(turned,
             {"turn one half, transpose the other", "Each half of the message now does what the other one did before."})
        .take();
}

// The exact time, or the most, by what a part of the bytes is taken to be.
RunTime two_halves_time(Exact (*part)(std::size_t bytes, unsigned parts))
{
    return in_ns([part](const Topology& topology, const Problem& problem) -> Exact {
        const unsigned c = topology.dimension() / 2;
        const std::size_t bytes = matrix_bytes(topology, problem);
        const LinkCosts costs(problem.link);
        if (c == 1)
            return costs.packets(3, part(bytes, 4));
        const std::size_t x = packets_for(c - 1, Exact(bytes) / 2, problem);
        return 2 *
               std::max(costs.packets(3, part(bytes, 8)), logical_inversion_time(c - 1, Exact(bytes) / 2, x, costs));
    });
}

// Two stretches, each as long as the slower half of the message: three packets of m/8 for the turn of the top position,
// or the transpose of m/2 bytes in the others.
std::optional<CaseFormula> two_halves_formula(const Topology& topology, const Problem& problem)
{
    const unsigned c = topology.dimension() / 2;
    if (c == 1)
        return CaseFormula{.text = "3 (tau m/4 + beta)"};
    return logical_inversion_formula(c - 1, Exact(matrix_bytes(topology, problem)) / 2, problem,
                                     [](std::string_view stages, std::string_view packets) {
                                         return fmt::format("2 max(3 (tau m/8 + beta), {} (tau ceil(m/(4 {})) + beta))",
                                                            stages, packets);
                                     });
}

double turn_pieces(const Topology& topology, const Problem&)
{
    const unsigned c = topology.dimension() / 2;
    return 6.0 * c * c * topology.nodes();
}

double two_halves_pieces(const Topology& topology, const Problem& problem)
{
    const unsigned c = topology.dimension() / 2;
    const std::size_t x = c < 2 ? 1 : packets_for(c - 1, Exact(matrix_bytes(topology, problem)) / 2, problem);
    return (4.0 * c * static_cast<double>(x) + 6) * topology.nodes();
}

std::string only_plain_submatrices(const Topology& /*topology*/, const Problem& problem)
{
    return problem.layout == MatrixLayout::submatrices ? "" : "it is for the layout submatrices";
}

std::string only_gray_submatrices(const Topology& topology, const Problem& problem)
{
    if (problem.layout != MatrixLayout::submatrices_gray)
        return "it is for the layout submatrices-gray";
    const unsigned c = topology.dimension() / 2;
    return c < 2 ? "" : wrong_packets(c - 1, matrix_bytes(topology, problem), problem);
}

using WriteTurn = void (*)(RoutingTable&, const MatrixGrid&, const StringAt&);

// `steps` steps per position, in each of which a link carries one of parts * c parts of a message.
Entry turn(Entry head, unsigned steps, unsigned parts, WriteTurn write)
{
    head.obstacle = only_plain_submatrices;
    head.time = in_ns([steps, parts](const Topology& topology, const Problem& problem) {
        const unsigned c = topology.dimension() / 2;
        const std::size_t bytes = matrix_bytes(topology, problem);
        return LinkCosts(problem.link).packets(steps * c, ceil_div(bytes, parts * c));
    });
    head.phases = [steps](const Topology& topology, const Problem&) {
        return turn_phases(topology.dimension() / 2, steps);
    };
    return matrix_entry(
        std::move(head),
        [write](const Topology& topology, const Problem& problem) { return grid_routing(topology, problem, write); },
        {.pieces = turn_pieces});
}

}  // namespace

std::vector<Entry> turns_family()
{
    return {
        turn(
            {{.collective = Collective::matrix_quarter_turn, .name = "one-way"},
             {.paper = "Stout & Wagar 1990, section 10",
              .origin = Origin::dcube,
              .summary = "one hop forward in every position",
              .idea = "In each position the pair of bits of (a, b) goes round a cycle of four nodes, one step forward. "
                      "All messages make these hops forward, position after position, and the links backward are idle. "
                      "c is d/2.",
              .formula = {.time = "tau m + c beta"},
              .paper_note = "Stout & Wagar mention turns in section 10. The algorithm is dcube's."}},
            1, 1, turn_one_way),
        turn({{.collective = Collective::matrix_quarter_turn, .name = "three-to-one"},
              {.paper = "Stout & Wagar 1990, section 10",
               .origin = Origin::dcube,
               .summary = "three quarters one hop forward, one quarter three hops back",
               .idea =
                   "One hop forward round a cycle of four is three hops back. So a quarter of each message goes "
                   "three hops back, while three quarters go one hop forward: both directions carry 3/4 m. c is d/2.",
               .formula = {.time = "3 tau m/4 + 3 c beta"},
               .paper_note = "Stout & Wagar mention turns in section 10. The algorithm is dcube's, and so is the bound "
                             "that it nears: 3 tau m/4 + beta."}},
             3, 4, turn_three_to_one),
        matrix_entry(
            {{.collective = Collective::matrix_quarter_turn, .name = "two-halves", .obstacle = only_gray_submatrices},
             {.paper = "Stout & Wagar 1990, section 10",
              .origin = Origin::dcube,
              .summary = "transpose and turn of the top position, in both orders",
              .idea = "With Gray-coded submatrices a quarter turn is a transpose and a turn of the top position. One "
                      "half of each message does them in one order, the other half in the other.",
              .formula = {.words = "The time is that of two stretches, each as long as the slower half of the message: "
                                   "three packets of m/8 for the turn, or the transpose of m/2 bytes in the c other "
                                   "positions, with X packets per link, searched as in `logical-cubes`"},
              .paper_note =
                  "Stout & Wagar mention turns and Gray codes. The algorithm is dcube's, made of their L.C. INVERSION.",
              .tunable = {.groups = true},
              .time = two_halves_time([](std::size_t bytes, unsigned parts) { return Exact(bytes) / parts; }),
              .time_limit =
                  two_halves_time([](std::size_t bytes, unsigned parts) { return Exact(ceil_div(bytes, parts)); }),
              .case_formula = two_halves_formula,
              .phases = two_halves_phases}},
            two_halves_routing, {.pieces = two_halves_pieces}),
        matrix_entry(costed_by_formula(
                         {{.collective = Collective::matrix_half_turn, .name = "inversion"},
                          {.aliases = {"INV", "reflection"},
                           .paper = "Stout & Wagar 1990, sections 6 and 10",
                           .origin = Origin::refinement,
                           .summary = "every node has one partner, the same XOR away",
                           .idea = "Every node has one partner, the same XOR away: a permutation n -> n ^ D, done as "
                                   "INVERSION, a part over each rotation of the h dimensions of D.",
                           .formula = {.time = "h (tau ceil(m/h) + beta)"},
                           .paper_note = "A half turn is an INVERSION (section 6) there: tau m + d beta.",
                           .phases =
                               [](const Topology& topology, const Problem& problem) {
                                   const NodeId mask = only_target(MatrixMove(problem, topology), 0);
                                   return rotated_hops_phases(static_cast<unsigned>(std::popcount(mask)));
                               }}}),
                     matrix_inversion, {.acting = Acting::alike})};
}

}  // namespace dcube::detail
