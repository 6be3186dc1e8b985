// Which bound holds for which network, and the bounds of hypercubes. The other switches over patterns are in
// any_network.cpp, searches.cpp, cut_node_bounds.cpp and time.cpp.

#include <dcube/bounds.hpp>

#include "collectives/bounds/any_network.hpp"
#include "collectives/bounds/argument.hpp"
#include "collectives/bounds/demand.hpp"
#include "collectives/bounds/searches.hpp"

namespace dcube {

namespace {

using Kind = Argument::Kind;

/// The half of the nodes in which the highest bit is 0 sends to the other one.
NodeCut highest_dimension()
{
    return {0, {true, false}};
}

/// The transmissions of every block by all nodes but one, which no algorithm can avoid.
Argument of_transmissions(std::uint64_t n, std::uint64_t m, std::uint64_t per_step, std::string reason)
{
    return {.kind = Kind::hops,
            .name = "transmissions",
            .reason = std::move(reason),
            .factors = {2, n - 1, m},
            .per_step = per_step};
}

/// For node 0 and its antipode, the sums that need the antipode's share.
Argument of_antipode(const Topology& cube, std::uint64_t m, std::uint64_t per_step, std::string reason)
{
    return {.kind = Kind::arriving,
            .name = "antipode",
            .reason = std::move(reason),
            .factors = {m},
            .per_step = per_step,
            .far = cube.dimension(),
            .node = 0,
            .other = cube.nodes() - 1};
}

// All ports: Bertsekas et al. 1991, Table I, for m packets a message on N = 2^d nodes.
//   one to all     ceil(m / d) + d - 1      packets over one node's d links, and the hops before the first or after
//                                           the last of them
//   one to each    ceil(m (N - 1) / d)      packets over the root's links
//   each to all    ceil(m (N - 1) / d)      packets over every node's links
//   each to each   m N / 2                  m (N / 2)^2 packets over the N / 2 links of a dimension, in each direction
//   sums to all    the larger of ceil(m / d) + d - 1 and ceil(2 m (N - 1) / (d N)), transmissions over all links
Argument all_port_steps(const Topology& cube, const Problem& problem)
{
    const std::uint64_t d = cube.dimension();
    const std::uint64_t n = cube.nodes();
    const std::uint64_t m = problem.packets;
    const bool reversed = is_reversed(problem.collective);
    switch (pattern_of(problem.collective)) {
    case Pattern::one_to_all:
        return {.kind = reversed ? Kind::leaving : Kind::arriving,
                .name = "antipode",
                .reason = reversed ? "the antipode's share of every block leaves it by d links, and has d hops to go"
                                   : "the antipode is d hops away, and takes at most d packets a step",
                .factors = {m},
                .per_step = d,
                .far = d,
                .node = problem.root ^ (cube.nodes() - 1),
                .other = problem.root};
    case Pattern::one_to_each:
        return {.kind = reversed ? Kind::arriving : Kind::leaving,
                .name = "root-links",
                .reason = reversed ? "all packets of the other nodes enter the root by d links"
                                   : "all packets for the other nodes leave the root by d links",
                .factors = {n - 1, m},
                .per_step = d,
                .node = problem.root};
    case Pattern::each_to_all:
        return {.kind = reversed ? Kind::leaving : Kind::arriving,
                .name = "node-links",
                .reason = reversed ? "every node sends its share of all other blocks on d links"
                                   : "every node receives the packets of all others on d links",
                .factors = {n - 1, m},
                .per_step = d};
    case Pattern::each_to_each:
        return {.kind = Kind::cut,
                .name = "cut",
                .reason = "half of all packets cross each dimension, over N/2 links in each direction",
                .factors = {n / 2, n / 2, m},
                .per_step = n / 2,
                .cut = highest_dimension()};
    case Pattern::sums_to_all:
        return largest({of_antipode(cube, m, d,
                                    "the antipode is d hops away, and a node takes at most d of the sums that need its "
                                    "share a step"),
                        of_transmissions(n, m, d * n, "every block needs 2(N-1) transmissions, over dN links")});
    case Pattern::pairs:
    case Pattern::elements: return steps_by_demand(cube, PortModel::all, problem);
    }
    return {};
}

// One port, the same with one packet a node and step.
//   one to all     m + d - 1        the holders of a packet at most double a step
//   one to each    m (N - 1)
//   each to all    m (N - 1)
//   each to each   m d N / 2        the sum of all distances, m N^2 d / 2, with N sends a step
//   sums to all    the larger of m + d - 1 and ceil(2 m (N - 1) / N)
Argument one_port_steps(const Topology& cube, const Problem& problem)
{
    const std::uint64_t d = cube.dimension();
    const std::uint64_t n = cube.nodes();
    const std::uint64_t m = problem.packets;
    const bool reversed = is_reversed(problem.collective);
    switch (pattern_of(problem.collective)) {
    case Pattern::one_to_all:
        return {.kind = Kind::doubling,
                .name = "doubling",
                .reason = reversed ? "the root completes at most one block a step, and none before step d, as shares "
                                     "at most halve a step"
                                   : "the last packet leaves the root in step m or later, and its holders at most "
                                     "double a step",
                .factors = {m},
                .far = d,
                .node = problem.root};
    case Pattern::one_to_each:
        return {.kind = reversed ? Kind::arriving : Kind::leaving,
                .name = "root-links",
                .reason = reversed ? "the root receives one packet a step" : "the root sends one packet a step",
                .factors = {n - 1, m},
                .node = problem.root};
    case Pattern::each_to_all:
        return {.kind = reversed ? Kind::leaving : Kind::arriving,
                .name = "node-links",
                .reason = reversed ? "every node sends one packet a step" : "every node receives one packet a step",
                .factors = {n - 1, m}};
    case Pattern::each_to_each:
        return {.kind = Kind::hops,
                .name = "hops",
                .reason = "the sum of all distances, N sends a step",
                .factors = {n, cube.status(0), m},
                .per_step = n};
    case Pattern::sums_to_all:
        return largest({of_antipode(cube, m, 1,
                                    "the antipode is d hops away, and a node takes one of the sums that need its share "
                                    "a step"),
                        of_transmissions(n, m, n, "every block needs 2(N-1) transmissions, N a step")});
    case Pattern::pairs:
    case Pattern::elements: return steps_by_demand(cube, PortModel::one, problem);
    }
    return {};
}

/// Of two nodes and more.
Argument steps_on_hypercube(const Topology& cube, PortModel ports, const Problem& problem)
{
    return ports == PortModel::all ? all_port_steps(cube, problem) : one_port_steps(cube, problem);
}

}  // namespace

Argument steps_argument(const Topology& topology, PortModel ports, const Problem& problem)
{
    require_root(topology, problem);
    if (topology.lacks_nodes())
        return named(steps_argument(topology.of_members(), ports, numbered(problem, topology)), topology);
    if (topology.nodes() == 1)
        return nothing_to_do("one node has nothing to send");
    return largest_with_search(topology, ports, problem,
                               topology.is_hypercube() ? steps_on_hypercube(topology, ports, problem)
                                                       : steps_on_any_network(topology, ports, problem));
}

Bound steps_bound(const Topology& topology, PortModel ports, const Problem& problem)
{
    Argument argument = steps_argument(topology, ports, problem);
    return {argument.value(), std::move(argument.reason)};
}

TimeBound time_bound(const Topology& topology, const Problem& problem)
{
    TimeArgument bound = time_argument(topology, problem);
    return {detail::to_rational(bound.value), std::move(bound.argument.reason)};
}

Bound transmissions_bound(const Topology& topology, const Problem& problem)
{
    require_root(topology, problem);
    if (topology.lacks_nodes())
        return transmissions_bound(topology.of_members(), numbered(problem, topology));
    if (topology.nodes() == 1)
        return {0, "one node has nothing to send"};
    return transmissions_on_any_network(topology, problem);
}

}  // namespace dcube
