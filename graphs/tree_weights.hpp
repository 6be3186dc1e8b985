#pragma once
// The bound on all-reduce (PartitionBound) that follows from how crowded links or nodes are.

#include "graphs/arcs.hpp"
#include "graphs/spanning_trees.hpp"

#include <dcube/ports.hpp>

#include <cstdint>
#include <span>

namespace dcube::detail {

// The best of several weightings that grow with the loads: of arcs with all ports, of nodes with one port. Any loads
// give a true bound; those of well packed trees give a good one.
PartitionBound bound_of_loads(const Arcs& arcs, PortModel ports, std::span<const std::uint32_t> load);

// The least weight of a spanning tree over all weight, less the margin: what PartitionBound says of its weights.
double bound_of_weights(const Arcs& arcs, PortModel ports, std::span<const double> weights);

}  // namespace dcube::detail
