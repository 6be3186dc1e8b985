#pragma once
#include "algorithms/programs/stream.hpp"

#include <dcube/topology.hpp>

#include <cstdint>
#include <memory>

namespace dcube::detail {

// Broadcast of many packets on one port (Bertsekas et al. 1991, section 1): packet b spreads among the nodes with bit
// b mod d, and d steps later to the others. The node with `label`, relative to the root.
std::unique_ptr<Pipeline> one_port_pipeline(unsigned d, NodeId label, std::uint32_t packets);

}  // namespace dcube::detail
