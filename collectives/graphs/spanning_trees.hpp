#pragma once
// Spanning trees that share a network evenly, and the bound on all-reduce that follows from where they are crowded.

#include "collectives/graphs/arcs.hpp"

#include <dcube/link.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

// All-reduce of one block takes at least `value` steps. With all ports `weights` has a weight for every arc, the same
// both ways; with one port it has one for every node. The value is the least weight of a spanning tree (with one port a
// link weighs as much as both its ends together) divided by the weight of all links, or nodes, less a margin for
// rounding.
//
// The links between the p parts of any partition carry at least 2 (p - 1) packets of every block (Nash-Williams 1961,
// Tutte 1961; docs/optimality.md), and a weighted tree adds up the partitions that Kruskal's algorithm meets.
struct PartitionBound {
    double value = 0;
    std::vector<double> weights{};
};
PartitionBound partition_bound(const Arcs& arcs, PortModel ports);

// The least weight of a spanning tree over all weight, less the margin: what PartitionBound says of its weights.
double bound_of_weights(const Arcs& arcs, PortModel ports, std::span<const double> weights);

// The least weight of a spanning tree, of whole weights.
std::uint64_t least_tree(const Arcs& arcs, PortModel ports, std::span<const std::uint64_t> weights);

// `trees` spanning trees, as lists of arcs (one of each link's two). Their largest load is small: the load of a link is
// the number of trees that share it, with one port the load of a node is the number of tree links that share it. The
// larger `flat` is, the more the trees avoid depth: as if a tree that takes every node in a row had this much more load
// on its last link than the crowded links have.
std::vector<std::vector<ArcId>> packed_trees(const Arcs& arcs, PortModel ports, unsigned trees, double flat = 0.02);

// The approximate number of operations that packing these trees takes.
std::uint64_t packing_work(std::uint64_t arcs, std::uint64_t trees);

}  // namespace dcube::detail
