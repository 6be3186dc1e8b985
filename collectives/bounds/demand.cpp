#include "collectives/bounds/demand.hpp"

#include "collectives/bounds/extremes.hpp"
#include "collectives/matrix_shapes.hpp"
#include "collectives/of_members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

namespace dcube {

Demand::Demand(const Problem& problem, const Topology& topology)
    : topology_((validate(problem, topology), topology)), crossings_(topology.is_hypercube() ? topology.dimension() : 0)
{
    if (is_matrix(problem.collective))
        add_matrix(problem);
    detail::for_each_message(problem, topology, [this](NodeId origin, NodeId target, std::uint64_t amount) {
        add_only(origin, target, amount);
    });
}

Demand::Crossing Demand::crossing() const
{
    Crossing most;
    for (std::size_t i = crossings_.size(); i-- > 0;) {  // dimension d - 1 is factor 0
        const auto factor = static_cast<unsigned>(crossings_.size() - 1 - i);
        if (crossings_[i].up > most.amount)
            most = {crossings_[i].up, {factor, {true, false}}};
        if (crossings_[i].down > most.amount)
            most = {crossings_[i].down, {factor, {false, true}}};
    }
    return most;
}

Demand::Cycles Demand::cycles() const
{
    const auto d = static_cast<unsigned>(crossings_.size());
    Cycles most;
    for (unsigned pair = 0; pair < cycles_.size(); ++pair)
        for (const std::uint64_t amount : {cycles_[pair].up, cycles_[pair].down})
            if (amount > most.amount)
                most = {amount, {pair % d, pair / d}};
    return most;
}

void Demand::add_matrix(const Problem& problem)
{
    const MatrixMove move(problem, topology_);
    if (has_partners(move)) {
        for (NodeId node = 0; node < topology_.nodes(); ++node)
            add_only(node, move.target({node, 0}).node, move.before().per_node());
        return;
    }
    if (is_relayout(problem.collective))
        add_relayout(move);
    else
        add_evenly(move.elements(0, 0));
}

/// Every node has as much for each other one.
void Demand::add_evenly(std::uint64_t share)
{
    const std::uint64_t nodes = topology_.nodes();
    const std::uint64_t half = nodes / 2;
    for (BothWays& crossing : crossings_)
        crossing.up = crossing.down = share * half * half;
    distance_ = topology_.diameter();
    std::tie(farthest_origin_, farthest_target_) = farthest_pair(topology_);
    node_ = share * (nodes - 1);
    hops_ = share * topology_.sum_of_statuses();
    receivers_ = nodes;
}

/// Row by row, or pair by pair where there are fewer of them.
void Demand::add_relayout(const MatrixMove& move)
{
    const std::uint64_t nodes = topology_.nodes();
    const MatrixShape& before = move.before();
    if (before.rows() / nodes < nodes) {
        for (std::size_t row = 0; row < before.rows(); ++row)
            add(before.place({row, 0}).node, move.after().place({row, 0}).node, before.columns());
    } else {
        for (NodeId origin = 0; origin < nodes; ++origin)
            for (NodeId target = 0; target < nodes; ++target)
                add(origin, target, move.elements(origin, target));
    }
    for (NodeId node = 0; node < nodes; ++node) {
        const std::uint64_t moving = before.per_node() - move.elements(node, node);
        raise_node(node, moving);
        receivers_ += moving != 0 ? 1 : 0;
    }
}

/// All that the origin sends, and all that the target gets.
void Demand::add_only(NodeId origin, NodeId target, std::uint64_t amount)
{
    add(origin, target, amount);
    if (origin == target)
        return;
    raise_node(origin, amount);
    ++receivers_;
    add_to_cycles(origin, target, amount);
}

/// `up` is what it costs if steps from 0 to 1 to 3 to 2 and back to 0 are the dear ones, the two bits read as a number.
void Demand::add_to_cycles(NodeId origin, NodeId target, std::uint64_t amount)
{
    constexpr unsigned most_dimensions = 16;  // trying all pairs of a larger cube would take long
    constexpr unsigned place[] = {0, 1, 3, 2};
    constexpr unsigned cost[] = {0, 3, 2, 1};
    const auto d = static_cast<unsigned>(crossings_.size());
    if (d > most_dimensions)
        return;
    cycles_.resize(std::size_t{d} * d);
    for (unsigned j = 1; j < d; ++j)
        for (unsigned i = 0; i < j; ++i) {
            const auto at = [&](NodeId node) { return place[(node >> i & 1) + 2 * (node >> j & 1)]; };
            const unsigned forward = (at(target) + 4 - at(origin)) % 4;
            cycles_[i + d * j].up += amount * cost[forward];
            cycles_[i + d * j].down += amount * cost[(4 - forward) % 4];
        }
}

void Demand::raise_node(NodeId node, std::uint64_t amount)
{
    if (amount <= node_)
        return;
    node_ = amount;
    busiest_ = node;
}

void Demand::add(NodeId origin, NodeId target, std::uint64_t amount)
{
    if (amount == 0)
        return;
    const unsigned distance = topology_.distance(origin, target);
    if (distance > distance_) {
        distance_ = distance;
        farthest_origin_ = origin;
        farthest_target_ = target;
    }
    hops_ += distance * amount;
    for (std::size_t dimension = 0; dimension < crossings_.size(); ++dimension)
        if (((origin ^ target) >> dimension & 1) != 0)
            (origin >> dimension & 1 ? crossings_[dimension].down : crossings_[dimension].up) += amount;
}

// Point-to-point and matrix collectives. A packet of a matrix is as large as it needs to be.

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

/// ceil(m / p) + h - 1: the packets of the message that goes farthest, h hops, leave by `ports` ports, p.
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

/// The distance of every node from this one by paths that avoid `avoided`; none for nodes that cannot be reached so.
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

/// For each of the links of `end` whose other node can be reached from `start` without `end`: that node's distance.
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
/// of the origin. T is the least with the sum of max(0, T - w) over all links >= m, where w is what a link has to wait.
/// If all wait equally, this is one_message().
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
                        ? "the sum of all distances, N sends per step"
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
            .prices = Argument::Prices::four_cycles,
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
