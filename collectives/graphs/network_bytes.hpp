#pragma once
// What a plan depends on of a network, as bytes: its nodes, links and factors. Names do not count.

#include "base/bytes.hpp"

#include <dcube/topology.hpp>

namespace dcube::detail {

void write_network(ByteWriter& bytes, const Topology& topology);
void write_network(ByteWriter& bytes, const Graph& graph);

}  // namespace dcube::detail
