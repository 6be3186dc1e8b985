#include "collectives/bounds/hypercube.hpp"

#include "base/arithmetic.hpp"
#include "collectives/bounds/demand.hpp"
#include "collectives/bounds/largest.hpp"

namespace dcube {

namespace {

using detail::ceil_div;

// Bertsekas et al. 1991, Table I.
Bound all_port_steps(const Topology& cube, const Problem& problem)
{
    const std::uint64_t d = cube.dimension();
    const std::uint64_t n = cube.nodes();
    const std::uint64_t m = problem.packets;
    switch (problem.collective) {
    case Collective::broadcast:
        return {ceil_div(m, d) + d - 1, "the antipode is d hops away, and takes at most d packets a step"};
    case Collective::reduce:
        return {ceil_div(m, d) + d - 1, "the antipode's share travels d hops, and "
                                        "the root takes at most d packets a step"};
    case Collective::scatter:
        return {ceil_div(m * (n - 1), d), "all packets for the other nodes leave the root by d links"};
    case Collective::gather:
        return {ceil_div(m * (n - 1), d), "all packets of the other nodes enter the root by d links"};
    case Collective::all_gather:
        return {ceil_div(m * (n - 1), d), "every node receives the packets of all others on d links"};
    case Collective::reduce_scatter:
        return {ceil_div(m * (n - 1), d), "every node sends its share of all other blocks on d links"};
    case Collective::all_reduce:
        return largest({{d, "the antipode is d hops away"},
                        {ceil_div(2 * m * (n - 1), d * n), "every block needs 2(N-1) transmissions, over dN links"}});
    case Collective::all_to_all:
        return {m * n / 2, "half of all packets cross each dimension, over N/2 "
                           "links in each direction"};
    case Collective::send:
    case Collective::exchange:
    case Collective::permute:
    case Collective::matrix_transpose:
    case Collective::matrix_quarter_turn:
    case Collective::matrix_half_turn:
    case Collective::matrix_relayout: return steps_by_demand(cube, PortModel::all, problem);
    }
    return {};
}

Bound one_port_steps(const Topology& cube, const Problem& problem)
{
    const std::uint64_t d = cube.dimension();
    const std::uint64_t n = cube.nodes();
    const std::uint64_t m = problem.packets;
    switch (problem.collective) {
    case Collective::broadcast:
        return {m + d - 1, "the last packet leaves the root in step m or later, "
                           "and its holders at most double a step"};
    case Collective::reduce:
        return {m + d - 1, "the root completes at most one block a step, and none "
                           "before step d, as shares at most halve a step"};
    case Collective::scatter: return {m * (n - 1), "the root sends one packet a step"};
    case Collective::gather: return {m * (n - 1), "the root receives one packet a step"};
    case Collective::all_gather: return {m * (n - 1), "every node receives one packet a step"};
    case Collective::reduce_scatter: return {m * (n - 1), "every node sends one packet a step"};
    case Collective::all_reduce:
        return largest({{d, "the antipode is d hops away"},
                        {ceil_div(2 * m * (n - 1), n), "every block needs 2(N-1) transmissions, N a step"}});
    case Collective::all_to_all: return {m * d * n / 2, "the sum of all distances, N sends a step"};
    case Collective::send:
    case Collective::exchange:
    case Collective::permute:
    case Collective::matrix_transpose:
    case Collective::matrix_quarter_turn:
    case Collective::matrix_half_turn:
    case Collective::matrix_relayout: return steps_by_demand(cube, PortModel::one, problem);
    }
    return {};
}

}  // namespace

Bound steps_on_hypercube(const Topology& cube, PortModel ports, const Problem& problem)
{
    return ports == PortModel::all ? all_port_steps(cube, problem) : one_port_steps(cube, problem);
}

}  // namespace dcube
