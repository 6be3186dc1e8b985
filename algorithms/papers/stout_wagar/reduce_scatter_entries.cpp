// The entry of reduce_scatter.cpp, with its cost and phases.

#include "algorithms/families.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/papers/stout_wagar/all_gather.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/phases.hpp"

#include <fmt/format.h>

#include <utility>

namespace dcube::detail {

namespace {

Phases halving_phases(unsigned d)
{
    PhaseLine line;
    for (unsigned k = d; k-- > 0;)
        line.add(1,
                 {fmt::format("{} to {}", bit(k + 1), counted(bit(k), "block")),
                  fmt::format("Every node hands over its partial sums of {} of {} blocks, {}, and adds what comes to "
                              "the others.",
                              bit(k), bit(k + 1), parts_in_turn(k, d))});
    return line.take();
}

}  // namespace

std::vector<Entry> link_reduce_scatter_family()
{
    Entry rotated{
        {.collective = Collective::reduce_scatter, .name = "rotated", .link = LinkKind::link_bound},
        {.aliases = {"RS", "HISTOGRAM"},
         .paper = "Stout & Wagar 1990, section 8",
         .summary = "the all-gather backwards, sums on the way",
         .idea = "The all-gather backwards: in each stage a node hands over its sums of the blocks whose nodes lie "
                 "across the link, half of what it still has, and adds what comes. A histogram is counted so: every "
                 "node ends with the counts of its share of the bins.",
         .formula = {.time = "(N - 1) tau m/d + d beta"},
         .paper_note = "HISTOGRAM, with this time, where the blocks are each node's share of the counts.",
         .run_time = kept([](const Topology& topology, const Problem& problem) {
             return walked_complete_broadcast(topology, problem, element_size(problem), Direction::backwards);
         }),
         .time_limit = in_ns([](const Topology& topology, const Problem& problem) {
             return complete_broadcast_limit(topology, message_bytes(problem), element_size(problem),
                                             LinkCosts(problem.link));
         }),
         .phases = [](const Topology& topology, const Problem&) { return halving_phases(topology.dimension()); }}};
    return {routing_entry(costed_by_formula(std::move(rotated)), histogram)};
}

}  // namespace dcube::detail
