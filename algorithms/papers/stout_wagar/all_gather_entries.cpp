// The entry of all_gather.cpp, with its cost and phases.

#include "algorithms/papers/stout_wagar/all_gather.hpp"

#include "algorithms/families.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/cut.hpp"
#include "algorithms/programs/entry.hpp"
#include "base/arithmetic.hpp"

#include <fmt/format.h>

namespace dcube::detail {

Phases complete_broadcast_phases(unsigned d)
{
    PhaseLine line;
    for (unsigned k = 0; k < d; ++k)
        line.add(1, {fmt::format("{} to {} holders", bit(k), bit(k + 1)),
                     fmt::format("Every node passes on {}, {}, so that every part has {} holders.",
                                 k == 0 ? "its message" : fmt::format("its parts of {} messages", bit(k)),
                                 parts_in_turn(k, d), bit(k + 1))});
    return line.take();
}

Exact complete_broadcast_limit(const Topology& topology, std::size_t m, std::size_t unit, const LinkCosts& costs)
{
    const unsigned d = topology.dimension();
    return costs.tau * (bit(d) - 1) * (ceil_div(m / unit, d) * unit) + costs.beta * d;
}

std::vector<Entry> link_all_gather_family()
{
    Entry rotated{
        {.collective = Collective::all_gather, .name = "rotated", .link = LinkKind::link_bound},
        {.aliases = {"AG", "COMPLETE BROADCAST"},
         .paper = "Stout & Wagar 1990, section 6",
         .summary = "d parts of every message, each doubling in its own order of links",
         .idea =
             "All nodes run BROADCAST 2 at once. In stage k a link carries the parts of 2^k messages as one packet: "
             "what partners have doubles from stage to stage.",
         .formula = {.time = "(N - 1) tau m/d + d beta"},
         .paper_note = "It gives this time. A node serves 2^k sources a rotation in stage k, not C(d, k) (errata, 8).",
         .run_time = kept([](const Topology& topology, const Problem& problem) {
             return walked_complete_broadcast(topology, problem, 1, Direction::forwards);
         }),
         .time_limit = in_ns([](const Topology& topology, const Problem& problem) {
             return complete_broadcast_limit(topology, message_bytes(problem), 1, LinkCosts(problem.link));
         }),
         .phases = [](const Topology& topology, const Problem&) {
             return complete_broadcast_phases(topology.dimension());
         }}};
    return {routing_entry(costed_by_formula(std::move(rotated)), [](const Topology& topology, const Problem& problem) {
        return complete_broadcast(topology, equal_lengths(problem), 1);
    })};
}

}  // namespace dcube::detail
