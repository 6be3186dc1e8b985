#pragma once
// Demand: what must go from where to where in collectives whose messages have one origin and one target each, added up
// as lower bounds need it.

#include "collectives/bounds/argument.hpp"

#include <dcube/bounds.hpp>
#include <dcube/matrix.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace dcube {

/// The demand of point-to-point and matrix collectives, in messages, or in elements of the matrix. Data that stay where
/// they are do not count. Throws InvalidArgument for a problem that validate refuses.
class Demand {
public:
    Demand(const Problem& problem, const Topology& topology);

    /// The longest that any message has to go, and one that does.
    [[nodiscard]] unsigned distance() const { return distance_; }
    [[nodiscard]] NodeId farthest_origin() const { return farthest_origin_; }
    [[nodiscard]] NodeId farthest_target() const { return farthest_target_; }
    /// The most that leaves one node, and which.
    [[nodiscard]] std::uint64_t node() const { return node_; }
    [[nodiscard]] NodeId busiest() const { return busiest_; }
    /// The most that crosses one dimension of a hypercube in one direction, over N/2 links, and from where to where;
    /// 0 on other networks.
    struct Crossing {
        std::uint64_t amount = 0;
        NodeCut cut{};
    };
    [[nodiscard]] Crossing crossing() const;
    /// Two dimensions of a hypercube divide it into faces, cycles of four nodes. Let their links cost 3 in one
    /// direction and 1 in the other, and all other links nothing. The most that all messages together cost on their
    /// cheapest paths, over all pairs of dimensions and both directions; a step further in the dear one costs 3 in
    /// either. No algorithm pays less, and a packet on every link costs 4 N; so the busiest link carries `amount` / (4
    /// N).
    struct Cycles {
        std::uint64_t amount = 0;
        std::pair<unsigned, unsigned> dimensions{};
    };
    [[nodiscard]] Cycles cycles() const;
    /// The sum of all distances.
    [[nodiscard]] std::uint64_t hops() const { return hops_; }
    /// The nodes to which something goes.
    [[nodiscard]] std::uint64_t receivers() const { return receivers_; }

private:
    void add_matrix(const Problem& problem);
    void add_evenly(std::uint64_t share);
    void add_relayout(const MatrixMove& move);
    void add_only(NodeId origin, NodeId target, std::uint64_t amount);
    void add(NodeId origin, NodeId target, std::uint64_t amount);
    void add_to_cycles(NodeId origin, NodeId target, std::uint64_t amount);
    void raise_node(NodeId node, std::uint64_t amount);

    struct BothWays {
        std::uint64_t up = 0;
        std::uint64_t down = 0;
    };

    Topology topology_;
    std::vector<BothWays> crossings_;  // by dimension of a hypercube
    std::vector<BothWays> cycles_;     // by pairs of dimensions, i + d j
    unsigned distance_ = 0;
    NodeId farthest_origin_ = 0;
    NodeId farthest_target_ = 0;
    std::uint64_t node_ = 0;
    NodeId busiest_ = 0;
    std::uint64_t hops_ = 0;
    std::uint64_t receivers_ = 0;
};

/// The argument of Demand::cycles().
Argument four_cycles(const Topology& topology, const Demand& demand, std::uint64_t packets);

/// Bounds in the unit-time model. They throw as Demand does.
Argument steps_by_demand(const Topology& topology, PortModel ports, const Problem& problem);
Bound transmissions_by_demand(const Topology& topology, const Problem& problem);

}  // namespace dcube
