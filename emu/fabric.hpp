#pragma once
// Switches, and links with times of their own, of a graph and of a network.

#include <dcube/graph.hpp>

#include <string>
#include <vector>

namespace dcube {

// The fabric with everything in ascending order, of a graph with these lists of neighbours. Throws InvalidArgument: it
// names a node or a link that is not there, or one twice, has negative times, or leaves less than two nodes that are no
// switches.
Fabric in_order(const std::string& name, const std::vector<std::vector<NodeId>>& lists, Fabric fabric);

}  // namespace dcube
