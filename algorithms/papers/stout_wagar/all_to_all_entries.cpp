// The entries of all_to_all.cpp, with their costs and phases.

#include "algorithms/papers/stout_wagar/all_to_all.hpp"

#include "algorithms/families.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/papers/stout_wagar/scatter.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "base/arithmetic.hpp"

#include <fmt/format.h>

namespace dcube::detail {

Phases rotated_hops_phases(unsigned n)
{
    PhaseLine line;
    for (unsigned k = 0; k < n; ++k)
        line.add(1, {fmt::format("hop {} of {}", k + 1, n),
                     n == 1 ? std::string("The one dimension in which both ends differ is crossed.")
                            : fmt::format(
                                  "Each of {} parts makes hop {} of its own path: part 1 crosses number {} of the {} "
                                  "dimensions in which both ends differ, and the others the next ones in turn.",
                                  n, k + 1, k + 1, n)});
    return line.take();
}

Phases complete_exchange_phases(unsigned d)
{
    PhaseLine line;
    for (unsigned k = 0; k < d; ++k)
        line.add(1,
                 {fmt::format("turn {} of {}", k + 1, d),
                  fmt::format("The parts of every message that have to cross do so, {}, and all that is due on a link "
                              "goes as one packet.",
                              parts_in_turn(k, d))});
    return line.take();
}

Exact complete_exchange_time(const Topology& topology, const Exact& bytes, const LinkModel& link)
{
    const unsigned d = topology.dimension();
    const LinkCosts costs(link);
    return costs.tau * bytes * bit(d - 1) + costs.beta * d;
}

Exact complete_exchange_limit(const Topology& topology, std::size_t bytes, const LinkModel& link)
{
    const unsigned d = topology.dimension();
    return complete_exchange_time(topology, ceil_div(bytes, d) * std::size_t{d}, link);
}

std::vector<Entry> link_all_to_all_family()
{
    const auto limit = in_ns([](const Topology& topology, const Problem& problem) {
        return complete_exchange_limit(topology, message_bytes(problem), problem.link);
    });
    Entry rotated{
        {.collective = Collective::all_to_all,
         .name = "rotated",
         .link = LinkKind::link_bound,
         .prepare = rotated_program},
        {.aliases = {"A2A", "COMPLETE EXCHANGE rotated"},
         .paper = "Stout & Wagar 1990, section 6",
         .origin = Origin::refinement,
         .summary = "messages dealt out to d rotations, one packet per link and stage",
         .idea = "Rotation i corrects the address bits i, i + 1, .. in turn. Of d messages whose differences of source "
                 "and target rotate into each other each rotation takes one; where the bits are periodic there are "
                 "fewer, and these are cut. So in every stage all links carry as much, in one packet each: all are "
                 "full, with d start-ups.",
         .formula = {.time = "2^(d - 1) tau m + d beta"},
         .paper_note = "Stout & Wagar's COMPLETE EXCHANGE (section 6) spreads each message evenly. Dealt out to d "
                       "rotations instead, hardly any cut, they take the same time, with simpler paths.",
         .time_limit = limit,
         .phases = [](const Topology& topology, const Problem&) {
             return complete_exchange_phases(topology.dimension());
         }}};
    Entry everywhere{
        {.collective = Collective::all_to_all, .name = "distribute-everywhere", .link = LinkKind::link_bound},
        {.aliases = {"COMPLETE EXCHANGE"},
         .paper = "Stout & Wagar 1990, section 6",
         .summary = "every node is the root of a farthest-first scatter",
         .idea = "Every node is the root of a farthest-first scatter, all at once: in stage k the messages of distance "
                 "d - k start. By symmetry all links have equal loads in every stage.",
         .formula = {.time = "2^(d - 1) tau m + d beta"},
         .paper_note =
             "It gives this time. Stage k starts the messages of distance d - k, not k (errata, 9). Section 9 "
             "prints the bytes of one link for those over the cut; the bound holds (errata, 5).",
         .time_limit = in_ns([](const Topology& topology, const Problem& problem) {
             return distribute_everywhere_limit(topology.dimension(), message_bytes(problem), LinkCosts(problem.link));
         }),
         .phases = [](const Topology& topology, const Problem&) {
             return farthest_first_phases(topology.dimension(), "Every node sends its messages for");
         }}};
    return {routing_entry(costed_by_formula(std::move(rotated)), rotated_exchange, {.acting = Acting::alike}),
            routing_entry(costed_by_formula(std::move(everywhere)), distribute_everywhere, {.acting = Acting::alike})};
}

}  // namespace dcube::detail
