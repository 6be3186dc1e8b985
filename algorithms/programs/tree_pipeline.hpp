#pragma once
#include "algorithms/programs/stream.hpp"

#include <dcube/topology.hpp>

#include <cstdint>
#include <memory>

namespace dcube::detail {

// Broadcast of many packets on all ports: d spanning trees of a d-cube that never share a link in a step. Groups of d
// packets follow each other a step apart, packet q d + i of them down tree i (Bertsekas et al. 1991, section 1, with
// the trees of Stout & Wagar 1990, BROADCAST 4). The node with `label`, relative to the root.
std::unique_ptr<Pipeline> tree_pipeline(unsigned d, NodeId label, std::uint32_t packets);

// parent(i, x, last) of the i-th tree, and the stage in which x hears from it. x != 0.
struct TreeLink {
    NodeId parent;
    Step stage;
};
TreeLink tree_link(unsigned d, unsigned tree, NodeId x, bool last);

}  // namespace dcube::detail
