#pragma once
// Spanning trees that share a network evenly, and the bound on all-reduce that follows from where they are crowded.

#include "graphs/arcs.hpp"

#include <dcube/ports.hpp>

#include <vector>

namespace dcube::detail {

// All-reduce of one block takes at least `value` steps. With all ports `weights` has one weight for every arc, the same
// both ways, with one port one for every node; the value is the least weight of a spanning tree (with one port that of
// a link is the sum of both ends') over the weight of all links, or nodes, less a margin for rounding.
//
// The links between the p parts of any partition carry at least 2 (p - 1) packets of every block (Nash-Williams 1961,
// Tutte 1961; docs/optimality.md), and a weighted tree adds up the partitions that Kruskal's algorithm meets.
struct PartitionBound {
    double value = 0;
    std::vector<double> weights{};
};
PartitionBound partition_bound(const Arcs& arcs, PortModel ports);

// So many spanning trees, as lists of arcs (one of each link's two). Their largest load is small: of trees that share
// a link, with one port of tree links that share a node. The more `flat`, the more do they avoid depth: as if one that
// takes every node in a row had this much more load on its last link than the crowded ones have.
std::vector<std::vector<ArcId>> packed_trees(const Arcs& arcs, PortModel ports, unsigned trees, double flat = 0.02);

// About how many operations it takes to pack so many trees.
std::uint64_t packing_work(std::uint64_t arcs, std::uint64_t trees);

}  // namespace dcube::detail
