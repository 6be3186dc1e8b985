#pragma once
#include "algorithms/programs/stream.hpp"

#include <dcube/topology.hpp>

#include <cstdint>
#include <memory>

namespace dcube::detail {

// Broadcast of many packets on one port, dcube's own: packet b leaves the root in step b + 1, doubles its holders in
// every step among the nodes with bit b mod d, and comes to the others d steps later. What the node with `label`,
// relative to the root, does.
std::unique_ptr<Pipeline> one_port_pipeline(unsigned d, NodeId label, std::uint32_t packets);

}  // namespace dcube::detail
