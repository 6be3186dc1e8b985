// The entries of row_layouts.cpp, with their costs and phases.

#include "algorithms/families.hpp"
#include "algorithms/papers/stout_wagar/all_to_all.hpp"
#include "algorithms/papers/stout_wagar/matrix_grid.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/matrix_program.hpp"

#include <algorithm>
#include <optional>

namespace dcube::detail {

namespace {

std::string only_rows(const Topology& /*topology*/, const Problem& problem)
{
    return in_rows(problem.layout) ? "" : "it is for layouts by rows";
}

// The bytes that every pair has to exchange, if all have as many.
std::optional<std::size_t> equal_amount(const Topology& topology, const Problem& problem)
{
    const MatrixPacking packing(problem, topology);
    const std::size_t bytes = packing.bytes(0, 1);
    for (NodeId a = 0; a < topology.nodes(); ++a)
        for (NodeId b = 0; b < topology.nodes(); ++b)
            if (a != b && packing.bytes(a, b) != bytes)
                return std::nullopt;
    return bytes;
}

// The time of a lockstep machine, and the most time of a data-driven one.
Exact stage_by_stage(const Topology& topology, const Routing& routing, const LinkCosts& costs)
{
    Exact time = 0;
    Fragments fragments;
    for (Step stage = 0; stage < routing.stages; ++stage) {
        std::size_t largest = 0;
        for (NodeId node = 0; node < topology.nodes(); ++node) {
            for (Port port = 0; port < topology.ports(node); ++port) {
                fragments.clear();
                routing.packet(stage, node, port, fragments);
                largest = std::max(largest, length(fragments));
            }
        }
        if (largest > 0)
            time += costs.packet(largest);
    }
    return time;
}

Exact all_to_all_time(const Topology& topology, const Problem& problem)
{
    const std::optional<std::size_t> bytes = equal_amount(topology, problem);
    if (!bytes)
        return stage_by_stage(topology, matrix_exchange(topology, problem), LinkCosts(problem.link));
    return *bytes == 0 ? Exact(0) : complete_exchange_time(topology, *bytes, problem.link);
}

Exact all_to_all_limit(const Topology& topology, const Problem& problem)
{
    const std::optional<std::size_t> bytes = equal_amount(topology, problem);
    if (bytes && *bytes != 0)
        return complete_exchange_limit(topology, *bytes, problem.link);
    return all_to_all_time(topology, problem);
}

// With equal amounts all nodes act alike.
RunTime all_to_all_run_time()
{
    const auto pieces = [](const Topology& topology, const Problem&) { return complete_exchange_pieces(topology); };
    return [alike = run_time(matrix_exchange, {.acting = Acting::alike}),
            apart = run_time(matrix_exchange, {.pieces = pieces})](const Topology& topology, const Problem& problem) {
        return (equal_amount(topology, problem) ? alike : apart)(topology, problem);
    };
}

// The phases; none where the layouts are the same.
Phases all_to_all_phases(const Topology& topology, const Problem& problem)
{
    const MatrixPacking packing(problem, topology);
    for (NodeId a = 0; a < topology.nodes(); ++a)
        for (NodeId b = 0; b < topology.nodes(); ++b)
            if (a != b && packing.bytes(a, b) != 0)
                return complete_exchange_phases(topology.dimension());
    return {};
}

Entry all_to_all_entry(Collective collective, std::string_view paper, std::string_view note)
{
    return matrix_entry(
        {{.collective = collective, .name = "all-to-all", .obstacle = only_rows},
         {.aliases = {"COMPLETE EXCHANGE"},
          .paper = paper,
          .summary = "every pair of nodes exchanges what it has to",
          .idea = "Stored by rows, a matrix that is turned is a total exchange: every pair of nodes exchanges what it "
                  "has to, in d stages, by COMPLETE EXCHANGE in its rotated form. p is the bytes of a pair, m/N.",
          .formula = {.time = "2^(d - 1) tau p + d beta"},
          .paper_note = note,
          .time = in_ns(all_to_all_time),
          .run_time = all_to_all_run_time(),
          .time_limit = in_ns(all_to_all_limit),
          .phases = all_to_all_phases}},
        matrix_exchange);
}

}  // namespace

std::vector<Entry> row_layouts_family()
{
    return {all_to_all_entry(Collective::matrix_transpose, "Stout & Wagar 1990, section 7.1",
                             "It gives this time, p bytes for each pair of nodes."),
            all_to_all_entry(Collective::matrix_quarter_turn, "Stout & Wagar 1990, section 10",
                             "A turn of a matrix stored by rows is a COMPLETE EXCHANGE there."),
            all_to_all_entry(Collective::matrix_relayout, "Stout & Wagar 1990, section 10",
                             "It is an even exchange only if N^2 divides the rows (errata, 13).")};
}

}  // namespace dcube::detail
