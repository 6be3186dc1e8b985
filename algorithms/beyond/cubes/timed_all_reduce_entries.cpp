// The entry of timed_all_reduce.cpp, with its cost and phases.

#include "algorithms/beyond/cubes/timed_all_reduce.hpp"

#include "algorithms/families.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/cut.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/phases.hpp"
#include "base/arithmetic.hpp"

#include <fmt/format.h>

namespace dcube::detail {

namespace {

// The same with every cut rounded up to whole elements, which is the most that it takes.
Exact limit_of(unsigned d, unsigned q, std::size_t bytes, std::size_t unit, const LinkCosts& costs)
{
    const auto largest = [&](unsigned halvings) { return ceil_div(bytes / unit, std::size_t{d} << halvings) * unit; };
    Exact time = costs.packets(d - q, largest(q));
    for (unsigned k = 1; k <= q; ++k)
        time += costs.packets(2, largest(k));
    return time;
}

// Part r of d, counted from 0, goes over dimension (r + k) mod d when the others go over their k-th.
Phases phases_of(unsigned d, unsigned q)
{
    PhaseLine line;
    for (unsigned k = 0; k < q; ++k)
        line.add(1, {fmt::format("halving {}", k + 1),
                     fmt::format("Partners give each other half of what they hold, {}, and add: each goes on with 1/{} "
                                 "of every part.",
                                 parts_in_turn(k, d), bit(k + 1))});
    for (unsigned k = q; k < d; ++k)
        line.add(1, {fmt::format("exchange {}", k - q + 1),
                     fmt::format("Partners swap all that they hold, {}, and add: {} {} {}.", parts_in_turn(k, d),
                                 counted(bit(k), "term"), k == 0 ? "becomes" : "become", bit(k + 1))});
    for (unsigned k = q; k-- > 0;)
        line.add(1, {fmt::format("doubling {}", q - k),
                     fmt::format("Partners swap the whole sums that they hold, {}: each has {} of every part again.",
                                 parts_in_turn(k, d), k == 0 ? "all" : fmt::format("1/{}", bit(k)))});
    return line.take();
}

}  // namespace

std::vector<Entry> link_all_reduce_family()
{
    Entry entry{
        {.collective = Collective::all_reduce,
         .name = "halving-doubling",
         .link = LinkKind::link_bound,
         .same_bits = true},
        {.aliases = {"AR"},
         .paper = "Stout & Wagar 1990, sections 6 and 8",
         .origin = Origin::dcube,
         .summary = "q halvings, d - q full exchanges, q doublings, in d rotations",
         .idea = "In each of d rotations: q halvings, in which a node hands over half of what it is responsible for; d "
                 "- q full exchanges of the rest; q doublings that bring the halves back. Large q moves few bytes, "
                 "small q has few start-ups.",
         .formula = {.time = "2 (1 - 1/2^q) tau m/d + (d - q) tau m/(d 2^q) + (d + q) beta"},
         .paper_note =
             "Stout & Wagar have both halves: HISTOGRAM (section 8) and COMPLETE BROADCAST (section 6), which "
             "together are q = d. q < d, with fewer start-ups, is dcube's.",
         .tunable = {.halvings = true},
         .time = in_ns([](const Topology& topology, const Problem& problem) {
             return halving_doubling_time(topology.dimension(), halvings_for(topology, problem), message_bytes(problem),
                                          LinkCosts(problem.link));
         }),
         .time_limit = in_ns([](const Topology& topology, const Problem& problem) {
             return limit_of(topology.dimension(), halvings_for(topology, problem), message_bytes(problem),
                             element_size(problem), LinkCosts(problem.link));
         }),
         .phases = [](const Topology& topology, const Problem& problem) {
             return phases_of(topology.dimension(), halvings_for(topology, problem));
         }}};
    return {routing_entry(std::move(entry), halving_doubling)};
}

}  // namespace dcube::detail
