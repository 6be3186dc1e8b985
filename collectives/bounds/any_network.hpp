#pragma once
// Lower bounds of collectives on any network, by counting: what has to pass a node's ports, and how far.

#include <dcube/bounds.hpp>

namespace dcube::product_bounds {

/// In the unit-time model; collectives with messages for one or all nodes, but no point-to-point or matrix one.
Bound steps(const Topology& topology, PortModel ports, const Problem& problem);
Bound transmissions(const Topology& topology, const Problem& problem);

/// Throws InvalidArgument for a root that is no node; only collectives that have one are asked. The rest of a problem
/// does not matter to a bound.
void require_root(const Topology& topology, const Problem& problem);

/// How far the farthest node is from this one.
unsigned eccentricity(const Topology& topology, NodeId node);

/// Of the node with the fewest.
Port fewest_ports(const Topology& topology);

}  // namespace dcube::product_bounds
