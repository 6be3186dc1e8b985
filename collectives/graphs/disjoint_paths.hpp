#pragma once
// Two paths without a common inner node (Suurballe 1974).

#include "collectives/graphs/arcs.hpp"

#include <vector>

namespace dcube::detail {

// Two paths between two nodes that are not neighbours, with the least total length, the shorter one first. Only one
// path, a shortest one, where a single node separates them.
std::vector<std::vector<ArcId>> two_disjoint_paths(const Arcs& arcs, NodeId from, NodeId to);

// The first shortest path.
std::vector<ArcId> shortest_path(const Arcs& arcs, NodeId from, NodeId to);

}  // namespace dcube::detail
