#pragma once
// Terms of a sum: the nodes whose contributions are in what a node gets.

#include <dcube/collective.hpp>
#include <dcube/contributors.hpp>
#include <dcube/graph.hpp>
#include <dcube/topology.hpp>

namespace dcube {

/// The members whose contributions are in the sum that this member gets: of scans those up to it or before it, else
/// all. None: the first member's of an exscan, which gets nothing.
Contributors terms_of(Collective collective, const Topology& topology, NodeId node);

}  // namespace dcube
