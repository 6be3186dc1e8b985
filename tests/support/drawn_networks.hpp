#pragma once
// Networks of many shapes and sizes, drawn at random from fixed seeds: the same on every machine.

#include <dcube/topology.hpp>

#include <cstddef>

namespace dcube::test {

inline constexpr std::size_t drawn_networks = 70;

/// Number `which` of them, 20 to 200 nodes: trees, hubs, sparse and dense graphs, cycles and clusters that hang
/// together by single nodes or links, and products; its name is the kind, nodes and number, such as "tree-20-0". The
/// last ten are well-known products that lack links and nodes.
Topology drawn_network(std::size_t which);

}  // namespace dcube::test
