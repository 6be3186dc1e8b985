// Exchange on one port of any network. m packets each way, the ends h hops apart.
//
//   two-paths-one   neighbours: m steps, optimal; else the least of
//                   m + l - 1         the message to each end on a path of its own
//                   2m - 2 + h        h odd: both messages on a shortest path, in turns
//                   2m - 1 + h        h even: the same
//
// The two paths have no common inner node and are together as short as such can be (Suurballe 1974); l is the longer
// one's length. A node on one of them sends and receives one packet per step, so no packet waits; m + h - 1 is a lower
// bound, met where l = h, as on every hypercube. Where one node separates the ends there are no such paths. In turns, a
// packet starts every other step at each end, and a node on the path receives now from this side, now from that. A node
// in the middle that separates the ends receives 2m packets, none before step floor(h / 2), and the last of them has as
// far to go: so it is optimal on trees.
//
// Transmissions: as many as the paths are long; in turns 2 m h, the fewest there can be.
//
// Planning: two searches through the network; on hypercubes none.

#include "algorithms/beyond/any_network/path_convoys.hpp"
#include "algorithms/families.hpp"
#include "base/memo.hpp"
#include "collectives/graphs/disjoint_paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dcube::detail {

namespace {

// On a path each.
ConvoyPlan on_two_paths(const Ends& ends, const Path& there, const Path& other)
{
    const auto packets = static_cast<std::uint32_t>(ends.packets);
    return {ends.packets + std::max(there.size(), other.size()) - 1,
            {{{ends.from, ends.to, 0}, there, packets},
             {{ends.to, ends.from, 0}, backwards(ends.topology, other), packets}}};
}

// If the path's length is even one end begins a step later, so that no node in the middle is met from both sides.
ConvoyPlan in_turns(const Ends& ends, const Path& path)
{
    const Step late = path.size() % 2 == 0 ? 1 : 0;
    const auto packets = static_cast<std::uint32_t>(ends.packets);
    return {2 * (ends.packets - 1) + path.size() + late,
            {{{ends.from, ends.to, 0}, path, packets, 1, 2},
             {{ends.to, ends.from, 0}, backwards(ends.topology, path), packets, 1 + late, 2}}};
}

// One path, or two without a common inner node.
std::vector<Path> exchange_paths(const Ends& ends)
{
    std::vector<Path> paths;
    if (ends.topology.is_hypercube()) {
        paths = cube_paths(ends.from, ends.to, ends.topology.dimension());
        paths.resize(2);
        return paths;
    }
    const Arcs arcs(ends.topology);
    for (const std::vector<ArcId>& path : two_disjoint_paths(arcs, ends.from, ends.to))
        paths.push_back(path_of(arcs, path));
    return paths;
}

ConvoyPlan make_two_paths_plan(const Ends& ends)
{
    const Path shortest = shortest_path_between(ends.topology, ends.from, ends.to);
    if (shortest.size() == 1)
        return on_two_paths(ends, shortest, shortest);
    const ConvoyPlan turns = in_turns(ends, shortest);
    const std::vector<Path> paths = exchange_paths(ends);
    if (paths.size() == 1)
        return turns;
    const ConvoyPlan two = on_two_paths(ends, paths[0], paths[1]);
    return std::pair(two.steps, two.hops()) < std::pair(turns.steps, turns.hops()) ? two : turns;
}

std::shared_ptr<const ConvoyPlan> two_paths_plan(const Topology& topology, const Problem& problem)
{
    static Memo<Ends, ConvoyPlan> kept(16);
    const Ends ends = ends_of(topology, problem);
    return kept.get(ends, [&] { return make_two_paths_plan(ends); });
}

Phases two_paths_phases(const Problem&, const ConvoyPlan& plan)
{
    const Convoy& there = plan.convoys.front();
    const Convoy& back = plan.convoys.back();
    if (there.path.size() == 1)
        return whole_run(plan.steps, {"swaps", "In every step the two neighbours send each other a packet."});
    if (there.apart == 2)
        return whole_run(plan.steps,
                         {"in turns", fmt::format("Both messages take the same path of {}, one packet every other step "
                                                  "from each end, so that no node in the middle receives two at once.",
                                                  counted(there.path.size(), "hop"))});
    return whole_run(
        plan.steps, {"two paths", fmt::format("One message goes on a path of {}, the other on one of {} that shares no "
                                              "node in the middle with it.",
                                              counted(there.path.size(), "hop"), counted(back.path.size(), "hop"))});
}

}  // namespace

std::vector<Entry> two_paths_family()
{
    const auto work = [](const Topology& topology, const Problem&) {
        return topology.is_hypercube() ? 0 : 100 * topology.directed_links();
    };
    return {convoy_entry(
        {{.collective = Collective::exchange,
          .name = "two-paths-one",
          .ports = PortModel::one,
          .networks = Networks::products},
         {.paper = "Suurballe 1974 (disjoint paths)",
          .origin = Origin::dcube,
          .summary = "each message on a path of its own, or both on one in turns",
          .idea =
              "Each message on a path of its own, two paths without a common inner node; where there are none, both "
              "on one shortest path, in turns.",
          .formula =
              {.words =
                   "m + l - 1 with paths of l hops at most, or 2m - 2 + h (h odd) and 2m - 1 + h (h even) in turns"},
          .paper_note =
              "In none of the papers: two paths that are short together are Suurballe's (1974), the turns are ours.",
          .planning_work = work}},
        two_paths_plan, two_paths_phases)};
}

}  // namespace dcube::detail
