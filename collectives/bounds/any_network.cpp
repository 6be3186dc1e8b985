#include "collectives/bounds/any_network.hpp"

#include "base/arithmetic.hpp"
#include "base/exact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <vector>

namespace dcube::product_bounds {

namespace {

using detail::ceil_div;

Bound largest(std::initializer_list<Bound> bounds)
{
    return *std::max_element(bounds.begin(), bounds.end(),
                             [](const Bound& a, const Bound& b) { return a.value < b.value; });
}

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
/// them still has that way to go. The largest over all `far`.
std::uint64_t farthest_first(const Topology& topology, NodeId root, std::uint64_t packets, Port ports)
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
    const bool from_root = problem.collective == Collective::broadcast || problem.collective == Collective::scatter;
    const bool personal = problem.collective == Collective::scatter || problem.collective == Collective::gather;
    const std::uint64_t near = arrivals_at_one(topology, problem.root, m);
    const Bound at_others{near, from_root ? "the last packet for a node far away, by the ports of that node"
                                          : "the last packet of a node far away, by the ports of that node"};
    if (personal)
        return largest({{farthest_first(topology, problem.root, m, ports),
                         from_root ? "all packets for the other nodes leave the root by its ports, the farthest first"
                                   : "all packets of the other nodes enter the root by its ports, the farthest last"},
                        at_others});
    return largest({{ceil_div(m, ports) + eccentricity(topology, problem.root) - 1,
                     from_root ? "the last packet leaves the root by its ports, and has the longest way to go"
                               : "the last packet enters the root by its ports, and has come the longest way"},
                    at_others});
}

Bound one_port_rooted(const Topology& topology, const Problem& problem)
{
    const std::uint64_t m = problem.packets;
    if (problem.collective == Collective::scatter || problem.collective == Collective::gather)
        return {farthest_first(topology, problem.root, m, 1),
                problem.collective == Collective::scatter ? "the root sends one packet a step, the farthest first"
                                                          : "the root receives one packet a step, the farthest last"};
    const auto doublings = static_cast<std::uint64_t>(std::bit_width(topology.nodes() - 1));
    return {m - 1 + std::max<std::uint64_t>(eccentricity(topology, problem.root), doublings),
            problem.collective == Collective::broadcast
                ? "the last packet leaves the root in step m or later, and has the longest way to go; its holders at "
                  "most double a step"
                : "the root completes at most one block a step, the first not before the longest way is done; shares "
                  "at most halve a step"};
}

Bound all_to_one_another(const Topology& topology, PortModel ports, const Problem& problem)
{
    const std::uint64_t others = problem.packets * (std::uint64_t{topology.nodes()} - 1);
    const bool gathers = problem.collective == Collective::all_gather;
    const Bound way{topology.diameter(), "the longest way"};
    if (ports == PortModel::all)
        return largest({way,
                        {ceil_div(others, fewest_ports(topology)),
                         gathers ? "every node receives the packets of all others by its ports"
                                 : "every node sends its share of all other blocks by its ports"}});
    return largest({way,
                    {ceil_div(others * topology.nodes(), simultaneous_moves(topology)),
                     "every node has one packet from each other, and so many can move at once"}});
}

Bound all_reduce(const Topology& topology, PortModel ports, const Problem& problem)
{
    const std::uint64_t m = problem.packets;
    const std::uint64_t needed = 2 * m * (std::uint64_t{topology.nodes()} - 1);
    const Bound way{topology.diameter(), "the longest way"};
    if (ports == PortModel::all)
        return largest(
            {way,
             {ceil_div(m, fewest_ports(topology)), "every node hears something of every block by its ports"},
             {ceil_div(needed, topology.directed_links()), "every block needs 2(N-1) transmissions, over all links"}});
    return largest({way,
                    {m, "every node hears something of every block"},
                    {ceil_div(needed, simultaneous_moves(topology)),
                     "every block needs 2(N-1) transmissions, and so many packets can move at once"}});
}

Bound all_to_all(const Topology& topology, PortModel ports, const Problem& problem)
{
    Bound most{0, ""};
    for (const ExchangeBound& bound : exchange_bounds(topology, ports)) {
        const bool is_way = bound.name == "L7";
        const std::uint64_t steps =
            is_way ? bound.steps
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

Bound steps(const Topology& topology, PortModel ports, const Problem& problem)
{
    switch (problem.collective) {
    case Collective::broadcast:
    case Collective::reduce:
    case Collective::scatter:
    case Collective::gather:
        return ports == PortModel::all ? rooted(topology, problem) : one_port_rooted(topology, problem);
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
    case Collective::matrix_relayout: break;  // by their traffic
    }
    return {};
}

Bound transmissions(const Topology& topology, const Problem& problem)
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
        return {2 * m * (n - 1),
                "N-1 sends before the first node is complete, and one more receive for each other node"};
    case Collective::all_to_all: return {m * topology.sum_of_statuses(), "the sum of the distances"};
    case Collective::send:
    case Collective::exchange:
    case Collective::permute:
    case Collective::matrix_transpose:
    case Collective::matrix_quarter_turn:
    case Collective::matrix_half_turn:
    case Collective::matrix_relayout: break;  // by their traffic
    }
    return {};
}

}  // namespace dcube::product_bounds
