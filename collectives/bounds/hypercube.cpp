#include <dcube/bounds.hpp>

#include "base/arithmetic.hpp"
#include "collectives/bounds/any_network.hpp"
#include "collectives/bounds/demand.hpp"

#include <algorithm>
#include <initializer_list>

namespace dcube {

namespace {

using detail::ceil_div;

// Hypercubes, all ports: Bertsekas et al. 1991, Table I.
Bound all_port_steps(std::uint64_t d, std::uint64_t n, const Problem& problem)
{
    const std::uint64_t m = problem.packets;
    switch (problem.collective) {
    case Collective::broadcast:
        return {ceil_div(m, d) + d - 1, "the antipode is d hops away, and takes at most d packets a step"};
    case Collective::reduce:
        return {ceil_div(m, d) + d - 1,
                "the antipode's share travels d hops, and the root takes at most d packets a step"};
    case Collective::scatter:
        return {ceil_div(m * (n - 1), d), "all packets for the other nodes leave the root by d links"};
    case Collective::gather:
        return {ceil_div(m * (n - 1), d), "all packets of the other nodes enter the root by d links"};
    case Collective::all_gather:
        return {ceil_div(m * (n - 1), d), "every node receives the packets of all others on d links"};
    case Collective::reduce_scatter:
        return {ceil_div(m * (n - 1), d), "every node sends its share of all other blocks on d links"};
    case Collective::all_reduce:
        return {std::max(d, ceil_div(2 * m * (n - 1), d * n)),
                "the antipode is d hops away, and every block needs 2(N-1) transmissions over dN links"};
    case Collective::all_to_all: return {m * n / 2, "half of all packets cross each dimension, over N/2 links a way"};
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

Bound one_port_steps(std::uint64_t d, std::uint64_t n, const Problem& problem)
{
    const std::uint64_t m = problem.packets;
    switch (problem.collective) {
    case Collective::broadcast:
        return {m + d - 1, "the last packet leaves the root in step m or later, and its holders at most double a step"};
    case Collective::reduce:
        return {m + d - 1,
                "the root completes at most one block a step, and none before step d, as shares at most halve a step"};
    case Collective::scatter: return {m * (n - 1), "the root sends one packet a step"};
    case Collective::gather: return {m * (n - 1), "the root receives one packet a step"};
    case Collective::all_gather: return {m * (n - 1), "every node receives one packet a step"};
    case Collective::reduce_scatter: return {m * (n - 1), "every node sends one packet a step"};
    case Collective::all_reduce:
        return {std::max(d, ceil_div(2 * m * (n - 1), n)),
                "the antipode is d hops away, and every block needs 2(N-1) transmissions, N a step"};
    case Collective::all_to_all: return {m * d * n / 2, "the sum of all distances, N sends a step"};
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

bool is_traffic(Collective collective)
{
    return is_point_to_point(collective) || is_matrix(collective);
}

Bound largest(std::initializer_list<Bound> bounds)
{
    return *std::max_element(bounds.begin(), bounds.end(),
                             [](const Bound& a, const Bound& b) { return a.value < b.value; });
}

/// Point-to-point and matrix collectives. A packet of a matrix is as large as it needs to be.
Bound traffic_steps(const Topology& topology, PortModel ports, const Problem& problem, const Traffic& traffic)
{
    const std::uint64_t n = topology.nodes();
    if (traffic.distance() == 0)
        return {0, "nothing has to move"};
    if (is_matrix(problem.collective))
        return {traffic.distance(), "the longest way of any element"};
    const std::uint64_t m = problem.packets;
    const std::uint64_t way = traffic.distance() - 1;
    if (ports == PortModel::one)
        return largest({{m + way, "a message's packets leave one by one, and the last one has the longest way"},
                        {ceil_div(m * traffic.hops(), n), "the sum of all distances, N sends a step"}});
    return largest(
        {{ceil_div(m, topology.max_ports()) + way,
          "a message's packets leave by all ports, and the last ones have the longest way"},
         {ceil_div(m * traffic.crossing(), n / 2), "the packets that cross one dimension one way have N/2 links"},
         {ceil_div(m * traffic.hops(), topology.directed_links()), "the sum of all distances, over all links"}});
}

Bound traffic_transmissions(const Problem& problem, const Traffic& traffic)
{
    if (traffic.distance() == 0)
        return {0, "nothing has to move"};
    if (is_matrix(problem.collective))
        return largest({{traffic.receivers(), "whoever lacks elements receives something"},
                        {traffic.distance(), "the longest way of any element"}});
    return {problem.packets * traffic.hops(), "the sum of the distances"};
}

}  // namespace

Bound steps_bound(const Topology& topology, PortModel ports, const Problem& problem)
{
    product_bounds::require_root(topology, problem);
    const std::uint64_t d = topology.dimension();
    const std::uint64_t n = topology.nodes();
    if (d == 0)
        return {0, "one node has nothing to send"};
    if (is_traffic(problem.collective))
        return traffic_steps(topology, ports, problem, Traffic(problem, topology));
    if (!topology.is_hypercube())
        return product_bounds::steps(topology, ports, problem);
    return ports == PortModel::all ? all_port_steps(d, n, problem) : one_port_steps(d, n, problem);
}

Bound transmissions_bound(const Topology& topology, const Problem& problem)
{
    product_bounds::require_root(topology, problem);
    if (!is_traffic(problem.collective))
        return product_bounds::transmissions(topology, problem);
    if (topology.nodes() == 1)
        return {0, "one node has nothing to send"};
    return traffic_transmissions(problem, Traffic(problem, topology));
}

}  // namespace dcube
