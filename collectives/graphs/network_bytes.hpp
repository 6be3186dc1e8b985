#pragma once
// The parts of a network on which plans depend, as bytes: its nodes, links and factors. Names do not count.

#include "base/bytes.hpp"

#include <dcube/topology.hpp>

namespace dcube::detail {

void write_network(ByteWriter& bytes, const Topology& topology);
void write_network(ByteWriter& bytes, const Graph& graph);

}  // namespace dcube::detail
