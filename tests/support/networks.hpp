#pragma once
// Networks for tests: random connected graphs, and products of them.

#include <dcube/topology.hpp>

namespace dcube::test {

/// Connected, irregular, and the same for the same seed; nodes >= 2.
Graph random_graph(unsigned seed, NodeId nodes);

/// A product of one to three irregular factors, 2 to 80 nodes.
Topology random_product(unsigned seed);

}  // namespace dcube::test
