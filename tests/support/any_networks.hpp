#pragma once
// The networks of the tables of any-network collectives: edge lists and permutations in tests/support/any_network/.

#include <dcube/topology.hpp>

#include <string_view>
#include <vector>

namespace dcube::test {

/// "ghc2x5x7", "torus4x6", "torus8x8", "mesh4x6", "hub9", "petring4", "random20", "random64", "random128", "cube6-3l",
/// "cube6-1n", "torus8x8-3l", "bintree31", "cube6".
extern const std::vector<std::string_view> any_networks;

/// The network as one graph of a list of edges, whatever product it may be.
Topology any_network(std::string_view name);
/// The target of every node's message.
std::vector<NodeId> any_permutation(std::string_view name);

}  // namespace dcube::test
