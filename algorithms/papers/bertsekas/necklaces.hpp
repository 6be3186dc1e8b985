#pragma once
// Classes of d-bit labels that rotate into each other, and so have equally many 1s (Bertsekas et al. 1991, section 2:
// R_kn). Combinatorics calls them necklaces.

#include <dcube/topology.hpp>

#include <vector>

namespace dcube::detail {

// The smallest member of every class of level k (k ones), ascending; the block class 0..01..1 is the first.
std::vector<NodeId> classes_of_level(unsigned k, unsigned d);

// Members of a node's class: d, or fewer if its bits are periodic.
unsigned class_size(NodeId node, unsigned d);

}  // namespace dcube::detail
