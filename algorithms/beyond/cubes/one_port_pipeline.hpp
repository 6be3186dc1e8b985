#pragma once
#include "algorithms/programs/stream.hpp"

#include <cstdint>
#include <memory>

namespace dcube::detail {

// The broadcast of m packets on one port, at the node with this label, relative to the root.
std::unique_ptr<Pipeline> one_port_pipeline(unsigned d, NodeId label, std::uint32_t packets);

}  // namespace dcube::detail
