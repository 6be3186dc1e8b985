// Which bound holds for which network, and the bounds of hypercubes. The other switches over patterns are in
// any_network.cpp, searches.cpp, cut_node_bounds.cpp and time.cpp.

#include <dcube/bounds.hpp>

#include "base/arithmetic.hpp"
#include "collectives/bounds/any_network.hpp"
#include "collectives/bounds/argument.hpp"
#include "collectives/bounds/demand.hpp"
#include "collectives/bounds/fabric.hpp"
#include "collectives/bounds/scan.hpp"
#include "collectives/bounds/searches.hpp"
#include "collectives/bounds/uneven.hpp"
#include "collectives/renamed.hpp"

#include <fmt/format.h>

#include <utility>

namespace dcube {

namespace {

using Kind = Argument::Kind;

/// All ports: ceil(m / d) + d - 1, packets over one node's d links, and the hops before the first or after the last of
/// them. One port: m + d - 1, as the holders of a packet at most double in a step.
Argument message_on_hypercube(const Topology& cube, PortModel ports, const Problem& problem)
{
    const std::uint64_t d = cube.dimension();
    const bool reversed = is_reversed(problem.collective);
    if (ports == PortModel::all)
        return {.kind = reversed ? Kind::leaving : Kind::arriving,
                .name = "antipode",
                .reason = reversed ? "the antipode's share of every block leaves it by d links, and has d hops to go"
                                   : "the antipode is d hops away, and can receive at most d packets per step",
                .factors = {problem.packets},
                .per_step = d,
                .far = d,
                .node = problem.root ^ (cube.nodes() - 1),
                .other = problem.root};
    return {.kind = Kind::doubling,
            .name = "doubling",
            .reason = reversed ? "the root completes at most one block per step, and none before step d, as shares at "
                                 "most halve in a step"
                               : "the last packet leaves the root in step m or later, and its holders at most double "
                                 "in a step",
            .factors = {problem.packets},
            .far = d,
            .node = problem.root};
}

/// All ports: m N / 2, because m (N / 2)^2 packets cross the N / 2 links of a dimension in each direction. One port:
/// m d N / 2, the sum of all distances, m N^2 d / 2, with N sends a step.
Argument exchange_on_hypercube(const Topology& cube, PortModel ports, std::uint64_t m)
{
    const std::uint64_t n = cube.nodes();
    if (ports == PortModel::all)
        return {.kind = Kind::cut,
                .name = "cut",
                .reason = "half of all packets cross each dimension, over N/2 links in each direction",
                .factors = {n / 2, n / 2, m},
                .per_step = n / 2,
                .cut = {0, {true, false}}};  // from where the highest bit is 0
    return {.kind = Kind::hops,
            .name = "hops",
            .reason = "the sum of all distances, N sends per step",
            .factors = {n, cube.status(0), m},
            .per_step = n};
}

/// The larger of ceil(m / p) + d - 1, for node 0 and its antipode, the sums that need the antipode's share; and
/// ceil(2 m (N - 1) / (p N)), the transmissions of every block by all nodes but one, which no algorithm can avoid.
Argument sums_on_hypercube(const Topology& cube, PortModel ports, std::uint64_t m)
{
    const bool all = ports == PortModel::all;
    const std::uint64_t d = cube.dimension();
    const std::uint64_t n = cube.nodes();
    const std::uint64_t p = all ? d : 1;
    return largest({{.kind = Kind::arriving,
                     .name = "antipode",
                     .reason = all ? "the antipode is d hops away, and a node receives at most d of the sums that need "
                                     "its share per step"
                                   : "the antipode is d hops away, and a node receives one of the sums that need its "
                                     "share per step",
                     .factors = {m},
                     .per_step = p,
                     .far = d,
                     .node = 0,
                     .other = cube.nodes() - 1},
                    {.kind = Kind::hops,
                     .name = "transmissions",
                     .reason = all ? "every block needs 2(N-1) transmissions, over dN links"
                                   : "every block needs 2(N-1) transmissions, N per step",
                     .factors = {2, n - 1, m},
                     .per_step = p * n}});
}

/// For at least two nodes. With p links of a node in use at once, d or 1, one to each and each to all take ceil(m (N -
/// 1) / p) for m packets per message on N = 2^d nodes. All ports: Bertsekas et al. 1991, Table I.
Argument steps_on_hypercube(const Topology& cube, PortModel ports, const Problem& problem)
{
    const bool all = ports == PortModel::all;
    const std::uint64_t p = all ? cube.dimension() : 1;
    const std::uint64_t others = cube.nodes() - 1;
    const std::uint64_t m = problem.packets;
    const bool reversed = is_reversed(problem.collective);
    switch (pattern_of(problem.collective)) {
    case Pattern::one_to_all: return message_on_hypercube(cube, ports, problem);
    case Pattern::one_to_each:
        return {.kind = reversed ? Kind::arriving : Kind::leaving,
                .name = "root-links",
                .reason = all && reversed ? "all packets of the other nodes enter the root by d links"
                          : all           ? "all packets for the other nodes leave the root by d links"
                          : reversed      ? "the root receives one packet per step"
                                          : "the root sends one packet per step",
                .factors = {others, m},
                .per_step = p,
                .node = problem.root};
    case Pattern::each_to_all:
        return {.kind = reversed ? Kind::leaving : Kind::arriving,
                .name = "node-links",
                .reason = all && reversed ? "every node sends its share of all other blocks on d links"
                          : all           ? "every node receives the packets of all others on d links"
                          : reversed      ? "every node sends one packet per step"
                                          : "every node receives one packet per step",
                .factors = {others, m},
                .per_step = p};
    case Pattern::each_to_each: return exchange_on_hypercube(cube, ports, m);
    case Pattern::sums_to_all: return sums_on_hypercube(cube, ports, m);
    case Pattern::prefix_sums: return steps_of_scan(cube, ports, problem);
    case Pattern::signals: return diameter_argument(cube, "distance");
    case Pattern::pairs:
    case Pattern::elements: return steps_by_demand(cube, ports, problem);
    }
    return {};
}

/// The same bound, said as simply as it can be: packets that all move in one step only have to go far.
Argument in_simplest_words(Argument argument, const Problem& problem)
{
    const bool far = argument.far > 1 && argument.factors.size() == 1 &&
                     (argument.kind == Kind::leaving || argument.kind == Kind::arriving);
    if (!far || argument.packets() > argument.per_step)
        return argument;
    auto [from, to] = std::pair(argument.node, argument.other);
    if (argument.kind == Kind::arriving)
        std::swap(from, to);
    Argument simple{.kind = Kind::distance, .name = "distance", .far = argument.far, .node = from, .other = to};
    const DistantNodes nodes = distant_nodes(simple, problem);
    simple.reason = fmt::format("node {} is {} links away from node {}", nodes.far, simple.far, nodes.near);
    return simple;
}

Argument binding_argument(const Topology& topology, PortModel ports, const Problem& problem)
{
    require_root(topology, problem);
    if (!topology.is_uniform())
        return steps_on_fabric(topology, problem);
    if (topology.lacks_nodes())
        return named(binding_argument(topology.of_members(), ports, numbered(problem, topology)), topology);
    if (std::string why = why_nothing_moves(topology, problem); !why.empty())
        return nothing_to_do(std::move(why));
    if (const Recognition* const known = detail::known_for(topology, problem))
        return named(binding_argument(known->called, ports, detail::renamed(problem, *known)), *known);
    if (!problem.counts.empty())
        return largest_with_search(topology, ports, problem, steps_of_uneven(topology, ports, problem));
    return largest_with_search(topology, ports, problem,
                               topology.is_hypercube() ? steps_on_hypercube(topology, ports, problem)
                                                       : steps_on_any_network(topology, ports, problem));
}

}  // namespace

DistantNodes distant_nodes(const Argument& argument, const Problem& problem)
{
    NodeId near = argument.node;
    NodeId far = argument.other;
    const bool to_root = has_root(problem.collective) && far == problem.root;
    const bool of_all = !has_root(problem.collective) && !is_point_to_point(problem.collective) && near > far;
    if (to_root || of_all)
        std::swap(near, far);
    return {far, near};
}

Argument steps_argument(const Topology& topology, PortModel ports, const Problem& problem)
{
    if (const auto groups = groups_of(problem, topology))
        return named(steps_argument(groups->network(), ports, in_group(problem)), *groups);
    return in_simplest_words(binding_argument(topology, ports, problem), problem);
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
    if (const auto groups = groups_of(problem, topology)) {
        Bound one = transmissions_bound(groups->network(), in_group(problem));
        return {groups->count() * one.value, of_each(*groups, one.reason)};
    }
    require_root(topology, problem);
    if (!topology.is_uniform()) {
        Argument farthest = steps_on_fabric(topology, problem);
        return {farthest.value(), std::move(farthest.reason)};
    }
    if (topology.lacks_nodes())
        return transmissions_bound(topology.of_members(), numbered(problem, topology));
    if (std::string why = why_nothing_moves(topology, problem); !why.empty())
        return {0, std::move(why)};
    if (const Recognition* const known = detail::known_for(topology, problem))
        return transmissions_bound(known->called, detail::renamed(problem, *known));
    return problem.counts.empty() ? transmissions_on_any_network(topology, problem)
                                  : transmissions_of_uneven(topology, problem);
}

Bound in_transit_bound(const Topology& topology, const Problem& problem, std::uint64_t steps)
{
    if (const auto groups = groups_of(problem, topology))
        return in_transit_bound(groups->network(), in_group(problem), steps);
    const Pattern pattern = pattern_of(problem.collective);
    const std::uint64_t others = topology.members() - 1;
    const std::uint64_t messages = pattern == Pattern::each_to_each  ? topology.members() * others
                                   : pattern == Pattern::one_to_each ? others
                                                                     : 0;
    if (messages == 0 || steps < 2 || moves_nothing(problem))
        return {0, "no packet has to wait in a node that it is not for"};
    const std::uint64_t packets =
        problem.counts.empty() ? messages * problem.packets : packets_of_uneven(topology, problem);
    const std::uint64_t waits = transmissions_bound(topology, problem).value - packets;
    return {detail::ceil_div(waits, topology.members() * (steps - 1)),
            "packets wait once before each hop but the first, in all nodes, between the steps"};
}

}  // namespace dcube
