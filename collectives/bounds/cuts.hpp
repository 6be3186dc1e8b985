#pragma once
// Cuts of a network in two parts: what crosses one has few links to do so.

#include <dcube/link.hpp>
#include <dcube/topology.hpp>

namespace dcube {

/// Networks of more nodes have too many cuts to try them all.
inline constexpr NodeId most_nodes_of_all_cuts = 20;

/// The largest |V1| |V2| / c over all cuts of the network, with c links from V1 to V2. At most most_nodes_of_all_cuts.
Rational largest_of_all_cuts(const Topology& network);

}  // namespace dcube
