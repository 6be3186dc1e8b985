#pragma once
// Demand: what must go from where to where in collectives whose messages have one origin and one target each, added up
// as lower bounds need it.

#include <dcube/bounds.hpp>
#include <dcube/matrix.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <vector>

namespace dcube {

/// Point-to-point and matrix collectives; in messages, or in elements of the matrix. What stays where it is does not
/// count. Throws InvalidArgument for a problem that validate refuses.
class Demand {
public:
    Demand(const Problem& problem, const Topology& topology);

    /// The longest that any message has to go.
    [[nodiscard]] unsigned distance() const { return distance_; }
    /// The most that leaves one node.
    [[nodiscard]] std::uint64_t node() const { return node_; }
    /// The most that crosses one dimension of a hypercube in one direction: over N/2 links.
    [[nodiscard]] std::uint64_t crossing() const;
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

    struct Crossing {
        std::uint64_t up = 0;
        std::uint64_t down = 0;
    };

    Topology topology_;
    std::vector<Crossing> crossings_;  // by dimension of a hypercube
    unsigned distance_ = 0;
    std::uint64_t node_ = 0;
    std::uint64_t hops_ = 0;
    std::uint64_t receivers_ = 0;
};

/// In the unit-time model. They throw as Demand does.
Bound steps_by_demand(const Topology& topology, PortModel ports, const Problem& problem);
Bound transmissions_by_demand(const Topology& topology, const Problem& problem);

}  // namespace dcube
