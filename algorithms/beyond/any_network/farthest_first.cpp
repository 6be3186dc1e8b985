// Scatter and gather on one port of any network. m packets per message; n_k nodes are k hops from the root or farther.
// Of uneven messages the packets for those nodes count instead of m n_k.
//
//   farthest-first-one   scatter   max over k of m n_k + k - 1 steps   m packets per distance   both optimal
//                        gather    the same, backwards
//
// The root sends a packet per step down a tree of shortest paths, the farthest nodes' first. A node k hops away is met
// by the packet of step s in step s + k - 1 only, so it never receives or sends two at once. Optimal because the last
// of the packets for the nodes at distance k or more leaves in step m n_k at the earliest, and has k hops to go.
//
// Planning: one search through the network, and the hops.

#include "algorithms/families.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/plan.hpp"
#include "base/sizes.hpp"
#include "collectives/graphs/arcs.hpp"

#include <dcube/bounds.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <string>

namespace dcube::detail {

namespace {

double farthest_first_hops(const Topology& topology, const Problem& problem)
{
    return static_cast<double>(transmissions_bound(topology, problem).value);
}

// The packets for a node, in a gather those that it has.
std::uint64_t packets_for(const Topology& topology, const Problem& problem, NodeId node)
{
    return packets_between(problem, topology, node, node);
}

std::vector<std::uint32_t> hops_from_the_root(const Arcs& arcs, NodeId root)
{
    const std::array<NodeId, 1> start{root};
    return hops_from(arcs, start);
}

// The packets for the nodes at every distance from the root.
std::vector<std::uint64_t> packets_by_hops(const Topology& topology, const Problem& problem)
{
    std::vector<std::uint64_t> packets;
    for (NodeId node = 0; node < topology.nodes(); ++node) {
        const std::size_t distance = topology.distance(problem.root, node);
        packets.resize(std::max(packets.size(), distance + 1));
        packets[distance] += packets_for(topology, problem, node);
    }
    return packets;
}

Cost farthest_first_cost(const std::vector<std::uint64_t>& packets)
{
    Cost cost{0, 0};
    std::uint64_t sent = 0;
    for (std::uint64_t distance = packets.size() - 1; distance > 0; --distance) {
        if (packets[as_size(distance)] == 0)
            continue;
        sent += packets[as_size(distance)];
        cost.steps = std::max(cost.steps, sent + distance - 1);
        cost.transmissions += packets[as_size(distance)] * distance;
    }
    return cost;
}

// By node, the first arc that leads to it on a shortest path from the root.
std::vector<ArcId> farthest_first_tree(const Arcs& arcs, NodeId root, const std::vector<std::uint32_t>& hops)
{
    std::vector<ArcId> parents(arcs.nodes());
    for (const NodeId node : arcs.members())
        if (node != root)
            parents[node] =
                *std::ranges::find(arcs.in(node), hops[node] - 1, [&](ArcId arc) { return hops[arcs.from(arc)]; });
    return parents;
}

Schedule farthest_first_scatter(const Topology& topology, const Problem& problem)
{
    const Arcs arcs(topology);
    const std::vector<std::uint32_t> hops = hops_from_the_root(arcs, problem.root);
    const std::vector<ArcId> parents = farthest_first_tree(arcs, problem.root, hops);
    std::vector<NodeId> nodes(arcs.members().begin(), arcs.members().end());
    std::erase(nodes, problem.root);
    std::ranges::stable_sort(nodes, std::greater{}, [&](NodeId node) { return hops[node]; });
    const Cost cost = farthest_first_cost(packets_by_hops(topology, problem));
    Schedule schedule{Symmetry::none, static_cast<Step>(cost.steps), {}};
    schedule.hops.reserve(allocatable(cost.transmissions));
    Step first = 0;
    for (const NodeId target : nodes)
        for (std::uint32_t copy = 0; copy < packets_for(topology, problem, target); ++copy) {
            ++first;
            for (NodeId node = target; node != problem.root; node = arcs.from(parents[node])) {
                const ArcId arc = parents[node];
                schedule.hops.push_back(
                    {first + hops[node] - 1, arcs.from(arc), arcs.port(arc), {problem.root, target, copy}});
            }
        }
    return schedule;
}

// ---- Phases: a distance after the other ----

std::string nodes_at_distance(std::uint64_t nodes, std::size_t distance)
{
    return fmt::format("{} at distance {}", nodes == 1 ? "the node" : fmt::format("the {} nodes", nodes), distance);
}

Phases farthest_first_phases(const Topology& topology, const Problem& problem)
{
    const bool scatter = problem.collective == Collective::scatter;
    const Arcs arcs(topology);
    const std::vector<std::uint32_t> hops = hops_from_the_root(arcs, problem.root);
    const std::vector<std::uint64_t> packets = packets_by_hops(topology, problem);
    const std::uint64_t steps = farthest_first_cost(packets).steps;
    const std::uint64_t all = std::reduce(packets.begin() + 1, packets.end(), std::uint64_t{0});
    PhaseLine line;
    if (packets.size() - 1 <= most_phases / 2) {
        for (std::size_t distance = packets.size() - 1; distance > 0; --distance)
            line.add(
                packets[distance],
                {fmt::format("distance {}", distance),
                 fmt::format(
                     "The root {} {}, one per step.", scatter ? "sends the packets for" : "receives the packets of",
                     nodes_at_distance(static_cast<std::uint64_t>(std::ranges::count(hops, distance)), distance))});
    } else {
        line.add(all,
                 {"farthest first", scatter ? "The root sends one packet per step, those for the farthest nodes first."
                                            : "The root receives one packet per step, those of the nearest nodes "
                                              "first."});
    }
    line.add(steps - all, scatter ? PhaseText{"the last packets arrive",
                                              "The root has sent all; what is still under way goes on to its nodes."}
                                  : PhaseText{"the first packets set out",
                                              "Packets set out for the root; nothing has reached it yet."});
    return scatter ? line.take() : mirrored(line.take(), steps);
}

Entry farthest_first_entry(Collective collective, std::string_view summary, std::string_view idea)
{
    return plan_entry(
        {{.collective = collective,
          .name = "farthest-first-one",
          .ports = PortModel::one,
          .networks = Networks::products,
          .uneven = true,
          .obstacle = [](const Topology& topology,
                         const Problem& problem) { return too_many_hops(farthest_first_hops(topology, problem)); },
          .cost = [](const Topology& topology,
                     const Problem& problem) { return farthest_first_cost(packets_by_hops(topology, problem)); },
          .storage =
              [](const Topology& topology, const Problem& problem) {
                  const auto hops = static_cast<std::uint64_t>(farthest_first_hops(topology, problem));
                  return plan_bytes(hops) + std::uint64_t{2} * topology.nodes() * problem.bytes;
              }},
         {.paper = "textbook; Bertsekas et al. 1991, section 1, refers to it",
          .origin = Origin::dcube,
          .summary = summary,
          .idea = idea,
          .formula = {.words = "the largest of m n_k + k - 1, where n_k nodes are k hops away or farther"},
          .paper_note =
              "In none of the papers for other networks than cubes: a textbook algorithm, optimal with one port.",
          .phases = farthest_first_phases}},
        [](const Topology& topology, const Problem& problem) {
            return in_direction_of(problem.collective, topology, farthest_first_scatter(topology, problem));
        });
}

}  // namespace

std::vector<Entry> farthest_first_family()
{
    return {
        farthest_first_entry(
            Collective::scatter, "one packet per step, the farthest nodes first",
            "The root sends a packet in every step down a tree of shortest paths, those for the farthest nodes first."),
        farthest_first_entry(
            Collective::gather, "the scatter backwards: the nearest nodes' packets come first",
            "The one-port scatter, the farthest first, read backwards: the nearest nodes' packets come first.")};
}

}  // namespace dcube::detail
