#include <dcube/bounds.hpp>

#include <algorithm>

namespace dcube {

namespace {

std::uint64_t divided_up(std::uint64_t a, std::uint64_t b)
{
    return (a + b - 1) / b;
}

// All ports: Bertsekas et al. 1991, Table I.
Bound all_port_steps(std::uint64_t d, std::uint64_t n, const Problem& problem)
{
    const std::uint64_t m = problem.packets;
    switch (problem.collective) {
    case Collective::broadcast:
        return {divided_up(m, d) + d - 1, "the antipode is d hops away, and takes at most d packets a step"};
    case Collective::reduce:
        return {divided_up(m, d) + d - 1,
                "the antipode's share travels d hops, and the root takes at most d packets a step"};
    case Collective::scatter:
        return {divided_up(m * (n - 1), d), "all packets for the other nodes leave the root by d links"};
    case Collective::gather:
        return {divided_up(m * (n - 1), d), "all packets of the other nodes enter the root by d links"};
    case Collective::all_gather:
        return {divided_up(m * (n - 1), d), "every node receives the packets of all others on d links"};
    case Collective::reduce_scatter:
        return {divided_up(m * (n - 1), d), "every node sends its share of all other blocks on d links"};
    case Collective::all_reduce:
        return {std::max(d, divided_up(2 * m * (n - 1), d * n)),
                "the antipode is d hops away, and every block needs 2(N-1) transmissions over dN links"};
    case Collective::all_to_all: return {m * n / 2, "half of all packets cross each dimension, over N/2 links a way"};
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
        return {std::max(d, divided_up(2 * m * (n - 1), n)),
                "the antipode is d hops away, and every block needs 2(N-1) transmissions, N a step"};
    case Collective::all_to_all: return {m * d * n / 2, "the sum of all distances, N sends a step"};
    }
    return {};
}

}  // namespace

Bound steps_bound(const Topology& topology, PortModel ports, const Problem& problem)
{
    const std::uint64_t d = topology.dimension();
    const std::uint64_t n = topology.nodes();
    if (d == 0)
        return {0, "one node has nothing to send"};
    return ports == PortModel::all ? all_port_steps(d, n, problem) : one_port_steps(d, n, problem);
}

Bound transmissions_bound(const Topology& topology, PortModel, const Problem& problem)
{
    const std::uint64_t d = topology.dimension();
    const std::uint64_t n = topology.nodes();
    const std::uint64_t m = problem.packets;
    const std::uint64_t distances = d * n / 2;  // from one node to all others
    switch (problem.collective) {
    case Collective::broadcast: return {m * (n - 1), "every other node receives every packet"};
    case Collective::reduce: return {m * (n - 1), "every other node sends its share of every block"};
    case Collective::scatter:
    case Collective::gather: return {m * distances, "the sum of the distances"};
    case Collective::all_gather: return {m * n * (n - 1), "every node receives the packets of all others"};
    case Collective::reduce_scatter: return {m * n * (n - 1), "every node sends its share of all other blocks"};
    case Collective::all_reduce:
        return {2 * m * (n - 1),
                "N-1 sends before the first node is complete, and one more receive for each other node"};
    case Collective::all_to_all: return {m * n * distances, "the sum of the distances"};
    }
    return {};
}

}  // namespace dcube
