#pragma once
// Networks that are recognised as known ones (Topology::recognised()): bounds and algorithms are asked about the known
// network, where the problem's nodes have other names.

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

namespace dcube::detail {

// The known network that this one is recognised as, for this problem; null if there is none. Where nodes have other
// numbers there, it is of no use if their order means something: matrices are dealt out by it, and scans and operations
// that do not commute follow it.
const Recognition* known_for(const Topology& topology, const Problem& problem);

// The problem as it is on the known network.
Problem renamed(const Problem& problem, const Recognition& known);

}  // namespace dcube::detail
