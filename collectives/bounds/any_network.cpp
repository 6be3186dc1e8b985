#include "collectives/bounds/any_network.hpp"

#include "base/arithmetic.hpp"
#include "base/exact.hpp"
#include "collectives/bounds/demand.hpp"
#include "collectives/bounds/largest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dcube {

namespace {

using detail::ceil_div;

/// How many nodes are at each distance from a node: the factors' numbers, convolved.
std::vector<std::uint64_t> nodes_by_distance(const Topology& topology, NodeId node)
{
    std::vector<std::uint64_t> counts{1};
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        const Graph& factor = topology.factor(i);
        std::vector<std::uint64_t> longer(counts.size() + factor.diameter());
        for (NodeId other = 0; other < factor.nodes(); ++other)
            for (std::size_t far = 0; far < counts.size(); ++far)
                longer[far + factor.distance(topology.digit(node, i), other)] += counts[far];
        while (longer.back() == 0)
            longer.pop_back();
        counts = std::move(longer);
    }
    return counts;
}

/// The packets for all nodes that are `far` hops away or farther leave the root one after the other, and the last of
/// them still has that far to go. The largest over all `far`.
std::uint64_t root_queue_bound(const Topology& topology, NodeId root, std::uint64_t packets, Port ports)
{
    const std::vector<std::uint64_t> counts = nodes_by_distance(topology, root);
    std::uint64_t beyond = 0;
    std::uint64_t most = 0;
    for (std::size_t far = counts.size() - 1; far > 0; --far) {
        beyond += counts[far];
        most = std::max(most, ceil_div(packets * beyond, ports) + far - 1);
    }
    return most;
}

/// A node's own packets come over its ports, the first of them not before its distance. The largest over all other
/// nodes.
std::uint64_t arrivals_at_one(const Topology& topology, NodeId root, std::uint64_t packets)
{
    if (topology.symmetric())
        return topology.diameter() - 1 + ceil_div(packets, topology.ports(root));
    std::uint64_t most = 0;
    for (NodeId node = 0; node < topology.nodes(); ++node)
        if (node != root)
            most = std::max(most, topology.distance(root, node) - 1 + ceil_div(packets, topology.ports(node)));
    return most;
}

Bound rooted(const Topology& topology, const Problem& problem)
{
    const std::uint64_t m = problem.packets;
    const Port ports = topology.ports(problem.root);
    const bool from_root = traits(problem.collective).origin == Who::root;
    const std::string_view near = from_root
                                      ? "a node's packets arrive by its ports, none before its distance from the root"
                                      : "a node's packets leave by its ports, and have its distance to the root to go";
    const Bound at_others{arrivals_at_one(topology, problem.root, m), std::string(near)};
    if (traits(problem.collective).before.share == Share::message_per_node ||
        traits(problem.collective).after.share == Share::message_per_node)
        return largest({{root_queue_bound(topology, problem.root, m, ports),
                         from_root ? "all packets for the other nodes leave the "
                                     "root by its ports, the farthest first"
                                   : "all packets of the other nodes enter the "
                                     "root by its ports, the farthest last"},
                        at_others});
    return largest({{ceil_div(m, ports) + eccentricity(topology, problem.root) - 1,
                     from_root ? "the last packet leaves the root by its ports, and has to "
                                 "reach the farthest node"
                               : "the shares enter the root by its ports, and the farthest "
                                 "node's have the longest "
                                 "distance to come"},
                    at_others});
}

/// Scatter and gather.
Bound one_port_personal(const Topology& topology, const Problem& problem)
{
    return {root_queue_bound(topology, problem.root, problem.packets, 1),
            traits(problem.collective).origin == Who::root ? "the root sends one packet a step, the farthest first"
                                                           : "the root receives one packet a step, the farthest last"};
}

/// Broadcast and reduce.
Bound one_port_rooted(const Topology& topology, const Problem& problem)
{
    const std::uint64_t before = problem.packets - 1;
    const std::uint64_t distance = eccentricity(topology, problem.root);
    const auto doublings = static_cast<std::uint64_t>(std::bit_width(topology.nodes() - 1));
    if (traits(problem.collective).origin == Who::root)
        return largest({{before + distance, "the last packet leaves the root in step m or "
                                            "later, and has to reach the farthest node"},
                        {before + doublings, "the last packet leaves the root in step m or "
                                             "later, and its holders at "
                                             "most double a step"}});
    return largest({{before + distance, "the root completes at most one block a step, the first not before the "
                                        "farthest node's share has come"},
                    {before + doublings, "the root completes at most one block a step, and "
                                         "shares at most halve a "
                                         "step"}});
}

/// All-gather and reduce-scatter.
Bound all_to_one_another(const Topology& topology, PortModel ports, const Problem& problem)
{
    const std::uint64_t others = problem.packets * (std::uint64_t{topology.nodes()} - 1);
    const std::string each = is_reduction(problem.collective) ? "every node sends its share of all other blocks"
                                                              : "every node receives the packets of all others";
    const Bound distance{topology.diameter(), "the diameter"};
    if (ports == PortModel::all)
        return largest({distance, {ceil_div(others, fewest_ports(topology)), each + " by its ports"}});
    const std::uint64_t moves = simultaneous_moves(topology);
    return largest({distance,
                    {ceil_div(others * topology.nodes(), moves),
                     fmt::format("{}, and at most {} packets can move at once", each, moves)}});
}

Bound all_reduce(const Topology& topology, PortModel ports, const Problem& problem)
{
    const std::uint64_t m = problem.packets;
    const std::uint64_t needed = 2 * m * (std::uint64_t{topology.nodes()} - 1);
    const Bound distance{topology.diameter(), "the diameter"};
    if (ports == PortModel::all)
        return largest(
            {distance,
             {ceil_div(m, fewest_ports(topology)), "every node receives a share of every block by its ports"},
             {ceil_div(needed, topology.directed_links()), "every block needs 2(N-1) transmissions, over all links"}});
    const std::uint64_t moves = simultaneous_moves(topology);
    return largest({distance,
                    {m, "every node receives a share of every block, one a step"},
                    {ceil_div(needed, moves), fmt::format("every block needs 2(N-1) transmissions, and at "
                                                          "most {} packets can move at once",
                                                          moves)}});
}

Bound all_to_all(const Topology& topology, PortModel ports, const Problem& problem)
{
    Bound most{0, ""};
    for (const ExchangeBound& bound : exchange_bounds(topology, ports)) {
        const bool is_distance = bound.name == "L7";
        const std::uint64_t steps =
            is_distance ? bound.steps
                        : detail::ceiling(detail::exact(bound.value) * problem.packets).convert_to<std::uint64_t>();
        if (steps > most.value)
            most = {steps, bound.reason};
    }
    return most;
}

}  // namespace

void require_root(const Topology& topology, const Problem& problem)
{
    if (has_root(problem.collective))
        validate({.collective = Collective::broadcast, .root = problem.root}, topology);
}

unsigned eccentricity(const Topology& topology, NodeId node)
{
    return static_cast<unsigned>(nodes_by_distance(topology, node).size() - 1);
}

Port fewest_ports(const Topology& topology)
{
    Port fewest = 0;
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        const Graph& factor = topology.factor(i);
        Port here = factor.ports(0);
        for (NodeId node = 1; node < factor.nodes(); ++node)
            here = std::min(here, factor.ports(node));
        fewest += here;
    }
    return fewest;
}

Bound steps_on_any_network(const Topology& topology, PortModel ports, const Problem& problem)
{
    switch (problem.collective) {
    case Collective::broadcast:
    case Collective::reduce:
        return ports == PortModel::all ? rooted(topology, problem) : one_port_rooted(topology, problem);
    case Collective::scatter:
    case Collective::gather:
        return ports == PortModel::all ? rooted(topology, problem) : one_port_personal(topology, problem);
    case Collective::all_gather:
    case Collective::reduce_scatter: return all_to_one_another(topology, ports, problem);
    case Collective::all_reduce: return all_reduce(topology, ports, problem);
    case Collective::all_to_all: return all_to_all(topology, ports, problem);
    case Collective::send:
    case Collective::exchange:
    case Collective::permute:
    case Collective::matrix_transpose:
    case Collective::matrix_quarter_turn:
    case Collective::matrix_half_turn:
    case Collective::matrix_relayout: return steps_by_demand(topology, ports, problem);
    }
    return {};
}

Bound transmissions_on_any_network(const Topology& topology, const Problem& problem)
{
    const std::uint64_t m = problem.packets;
    const std::uint64_t n = topology.nodes();
    switch (problem.collective) {
    case Collective::broadcast: return {m * (n - 1), "every other node receives every packet"};
    case Collective::reduce: return {m * (n - 1), "every other node sends its share of every block"};
    case Collective::scatter:
    case Collective::gather: return {m * topology.status(problem.root), "the sum of the distances"};
    case Collective::all_gather: return {m * n * (n - 1), "every node receives the packets of all others"};
    case Collective::reduce_scatter: return {m * n * (n - 1), "every node sends its share of all other blocks"};
    case Collective::all_reduce:
        return {2 * m * (n - 1), "N-1 sends before the first node is complete, and "
                                 "one more receive for each other node"};
    case Collective::all_to_all: return {m * topology.sum_of_statuses(), "the sum of the distances"};
    case Collective::send:
    case Collective::exchange:
    case Collective::permute:
    case Collective::matrix_transpose:
    case Collective::matrix_quarter_turn:
    case Collective::matrix_half_turn:
    case Collective::matrix_relayout: return transmissions_by_demand(topology, problem);
    }
    return {};
}

}  // namespace dcube
