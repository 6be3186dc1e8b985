// Point-to-point and matrix collectives. A packet of a matrix is as large as it needs to be.

#include "collectives/bounds/demand.hpp"
#include "collectives/bounds/largest.hpp"

#include <dcube/bounds.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace dcube {

namespace {

using Kind = Argument::Kind;

Argument longest_distance(const Demand& demand, std::string reason)
{
    return {.kind = Kind::distance,
            .name = "distance",
            .reason = std::move(reason),
            .far = demand.distance(),
            .node = demand.farthest_origin(),
            .other = demand.farthest_target()};
}

/// One message's packets leave by so many ports.
Argument one_message(const Demand& demand, std::uint64_t packets, std::uint64_t ports, std::string reason)
{
    return {.kind = Kind::leaving,
            .name = "node-links",
            .reason = std::move(reason),
            .factors = {packets},
            .per_step = ports,
            .far = demand.distance(),
            .node = demand.farthest_origin(),
            .other = demand.farthest_target()};
}

/// How far all nodes are from this one by paths that do not pass `avoided`; none for those that cannot be reached so.
std::vector<std::optional<unsigned>> distances_without(const Topology& topology, NodeId from, NodeId avoided)
{
    std::vector<std::optional<unsigned>> far(topology.nodes());
    std::vector<NodeId> reached{from};
    far[from] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i)
        for (Port port = 0; port < topology.ports(reached[i]); ++port)
            if (const NodeId next = topology.neighbour(reached[i], port); next != avoided && !far[next]) {
                far[next] = *far[reached[i]] + 1;
                reached.push_back(next);
            }
    return far;
}

/// For each of the links of `end` whose other node can be reached from `start` without it: how far that is.
std::vector<std::uint64_t> distances_of_neighbours(const Topology& topology, NodeId start, NodeId end)
{
    std::vector<std::uint64_t> distances;
    std::vector<std::optional<unsigned>> without;
    if (!topology.is_hypercube())  // where a path round the end is as short
        without = distances_without(topology, start, end);
    for (Port port = 0; port < topology.ports(end); ++port) {
        const NodeId next = topology.neighbour(end, port);
        if (topology.is_hypercube())
            distances.push_back(topology.distance(start, next));
        else if (without[next])
            distances.push_back(*without[next]);
    }
    std::ranges::sort(distances);
    return distances;
}

/// A message's packets reach its target over the target's links, and over each of them none before the node behind it
/// can have had one: one step after that node's distance from the origin. Read backwards the same holds for the links
/// of the origin. If all links have to wait equally, this is one_message().
Argument detours(const Topology& topology, const Demand& demand, std::uint64_t packets, bool outwards)
{
    const NodeId origin = demand.farthest_origin();
    const NodeId target = demand.farthest_target();
    return {.kind = Kind::detours,
            .name = "detours",
            .reason = outwards
                          ? "the packets leave by the ports of the message's node, and have a longer path over those "
                            "that do not lead nearer"
                          : "the packets arrive by the ports of the message's target, later over those that are not "
                            "on a shortest path",
            .factors = {packets},
            .node = target,
            .other = origin,
            .waits = outwards ? distances_of_neighbours(topology, target, origin)
                              : distances_of_neighbours(topology, origin, target),
            .outwards = outwards};
}

Argument all_hops(const Demand& demand, std::uint64_t packets, std::uint64_t per_step, std::string reason)
{
    return {.kind = Kind::hops,
            .name = "hops",
            .reason = std::move(reason),
            .factors = {demand.hops(), packets},
            .per_step = per_step};
}

Argument one_port_hops(const Topology& topology, const Demand& demand, std::uint64_t packets)
{
    const std::uint64_t moves = topology.is_hypercube() ? topology.nodes() : simultaneous_moves(topology);
    return all_hops(demand, packets, moves,
                    moves == topology.nodes()
                        ? "the sum of all distances, N sends a step"
                        : fmt::format("the sum of all distances; at most {} packets can move at once", moves));
}

}  // namespace

Argument four_cycles(const Topology& topology, const Demand& demand, std::uint64_t packets)
{
    const Demand::Cycles cycles = demand.cycles();
    return {.kind = Kind::priced,
            .name = "four-cycles",
            .reason = "round cycles of four nodes, one hop forward is three hops back",
            .factors = {cycles.amount, packets},
            .per_step = std::uint64_t{4} * topology.nodes(),
            .dimensions = cycles.dimensions};
}

Argument steps_by_demand(const Topology& topology, PortModel ports, const Problem& problem)
{
    const Demand demand(problem, topology);
    if (demand.distance() == 0)
        return nothing_to_do("nothing has to move");
    if (is_matrix(problem.collective))
        return longest_distance(demand, "the longest distance of any element");
    const std::uint64_t m = problem.packets;
    if (ports == PortModel::one)
        return largest({one_message(demand, m, 1,
                                    "a message's packets leave one by one, and the last one has the longest distance "
                                    "to go"),
                        one_port_hops(topology, demand, m)});
    const Demand::Crossing crossing = demand.crossing();
    return largest({one_message(demand, m, topology.max_ports(),
                                "a message's packets leave by the ports of its node, and the last ones have the "
                                "longest distance to go"),
                    {.kind = Kind::cut,
                     .name = "cut",
                     .reason = "the packets that cross one dimension in one direction have N/2 links",
                     .factors = {crossing.amount, m},
                     .per_step = topology.nodes() / 2,
                     .cut = crossing.cut},
                    all_hops(demand, m, topology.directed_links(), "the sum of all distances, over all links"),
                    four_cycles(topology, demand, m),
                    detours(topology, demand, m, false),
                    detours(topology, demand, m, true)});
}

Bound transmissions_by_demand(const Topology& topology, const Problem& problem)
{
    const Demand demand(problem, topology);
    if (demand.distance() == 0)
        return {0, "nothing has to move"};
    if (is_matrix(problem.collective))
        return demand.receivers() >= demand.distance()
                   ? Bound{demand.receivers(), "every node that lacks elements receives a packet"}
                   : Bound{demand.distance(), "the longest distance of any element"};
    return {problem.packets * demand.hops(), "the sum of the distances"};
}

}  // namespace dcube
