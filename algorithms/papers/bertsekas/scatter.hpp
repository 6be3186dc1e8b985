#pragma once
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/schedule.hpp"

#include <dcube/catalogue.hpp>
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

// The entry of any planned scatter of m packets over shortest paths whose packets never wait, or of it backwards. Its
// phases are as they follow each other in a scatter, in words for the direction.
Entry planned_scatter_entry(Entry head, Schedule (*schedule)(const Topology& topology, std::uint32_t packets),
                            Phases (*phases)(unsigned d, std::uint64_t packets, Direction direction));

}  // namespace dcube::detail
