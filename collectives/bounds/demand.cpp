#include "collectives/bounds/demand.hpp"

#include "collectives/matrix_shapes.hpp"

#include <algorithm>

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

std::uint64_t Demand::crossing() const
{
    std::uint64_t most = 0;
    for (const Crossing& crossing : crossings_)
        most = std::max({most, crossing.up, crossing.down});
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
    for (Crossing& crossing : crossings_)
        crossing.up = crossing.down = share * half * half;
    distance_ = topology_.diameter();
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
        node_ = std::max(node_, moving);
        receivers_ += moving != 0 ? 1 : 0;
    }
}

/// All that the origin sends, and all that the target gets.
void Demand::add_only(NodeId origin, NodeId target, std::uint64_t amount)
{
    add(origin, target, amount);
    if (origin == target)
        return;
    node_ = std::max(node_, amount);
    ++receivers_;
}

void Demand::add(NodeId origin, NodeId target, std::uint64_t amount)
{
    if (amount == 0)
        return;
    const unsigned distance = topology_.distance(origin, target);
    distance_ = std::max(distance_, distance);
    hops_ += distance * amount;
    for (std::size_t dimension = 0; dimension < crossings_.size(); ++dimension)
        if (((origin ^ target) >> dimension & 1) != 0)
            (origin >> dimension & 1 ? crossings_[dimension].down : crossings_[dimension].up) += amount;
}

}  // namespace dcube
