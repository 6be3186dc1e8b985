#pragma once
// The shortest paths between all pairs of nodes, and whom their packets will keep busy, for mixed_routes.cpp.

#include "algorithms/dimakopoulos/path_ports.hpp"

#include <dcube/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

// Loads and weights are counted in integers, in 1024ths, so that they are the same on every machine.
using Amount = std::int64_t;
inline constexpr Amount unit = 1024;

// What the shortest paths between all pairs of nodes have in common.
class ShortestPaths {
public:
    // Memory for a word for every three nodes.
    explicit ShortestPaths(const Topology& topology);

    [[nodiscard]] const Topology& topology() const { return topology_; }
    [[nodiscard]] std::size_t nodes() const { return nodes_; }
    [[nodiscard]] std::size_t index(NodeId from, NodeId target) const { return from * nodes_ + target; }
    // The ports that lead nearer to the target.
    [[nodiscard]] std::span<const Port> ports(NodeId from, NodeId target) const { return ports_.of(from, target); }
    // How often a packet on its path will have to be forwarded by each node, if at every node all shortest paths are
    // equally likely.
    [[nodiscard]] std::span<const std::int32_t> transit(NodeId from, NodeId target) const
    {
        return std::span(transit_).subspan(index(from, target) * nodes_, nodes_);
    }

private:
    void set_transit(NodeId from, NodeId target);

    const Topology& topology_;
    std::size_t nodes_;
    PathPorts ports_;
    std::vector<std::int32_t> transit_;
};

}  // namespace dcube::detail
