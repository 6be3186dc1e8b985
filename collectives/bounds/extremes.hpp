#pragma once
// The nodes of a network that are farthest apart, or have the fewest ports: where bounds are largest.

#include <dcube/topology.hpp>

#include <utility>

namespace dcube {

/// One of the nodes that are farthest from this one.
NodeId farthest_from(const Topology& topology, NodeId node);

/// Two nodes that are as far apart as any.
std::pair<NodeId, NodeId> farthest_pair(const Topology& topology);

/// The first of the nodes with the fewest.
NodeId node_with_fewest_ports(const Topology& topology);

}  // namespace dcube
