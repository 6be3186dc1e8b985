#pragma once
#include "algorithms/programs/schedule.hpp"

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <vector>

namespace dcube::detail {

// The tree of Bertsekas et al. 1991, section 3: shortest paths from root 0, and subtrees of floor or ceil((N-1)/d)
// nodes.
struct ScatterTree {
    std::vector<NodeId> parent;
    std::vector<Port> port;  // the root's, over which the node's subtree is reached
};
ScatterTree scatter_tree(unsigned d);

// The m packets of the root's messages to all nodes (rooted).
Schedule scatter_schedule(const Topology& topology, std::uint32_t packets);

// The storage of any planned scatter over shortest paths whose packets never wait, or of it backwards.
std::uint64_t scatter_storage(const Topology& topology, const Problem& problem);

}  // namespace dcube::detail
