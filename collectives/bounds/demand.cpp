#include "collectives/bounds/demand.hpp"

#include "collectives/bounds/extremes.hpp"
#include "collectives/matrix_shapes.hpp"

#include <tuple>

namespace dcube {

Demand::Demand(const Problem& problem, const Topology& topology)
    : topology_((validate(problem, topology), topology)), crossings_(topology.is_hypercube() ? topology.dimension() : 0)
{
    if (is_matrix(problem.collective))
        add_matrix(problem);
    if (has_permutation(problem.collective))
        for (NodeId node = 0; node < topology.nodes(); ++node)
            add_only(node, problem.permutation[node], 1);
    if (has_peer(problem.collective))
        add_only(problem.root, problem.peer, 1);
    if (traits(problem.collective).origin == Who::ends)
        add_only(problem.peer, problem.root, 1);
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
    if (problem.collective == Collective::matrix_relayout)
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
    constexpr unsigned most_dimensions = 16;  // of larger cubes all pairs would take long
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

}  // namespace dcube
