#pragma once
// Rotations of d-bit node labels, and the classes of labels that rotate into each other (Bertsekas et al. 1991, section
// 2).

#include <dcube/topology.hpp>

#include <vector>

namespace dcube::detail {

constexpr NodeId bit(unsigned position)
{
    return NodeId{1} << position;
}

constexpr bool has_bit(NodeId node, unsigned position)
{
    return (node >> position & 1) != 0;
}

// Left rotation of d bits by `positions` < d.
constexpr NodeId rotated(NodeId node, unsigned positions, unsigned d)
{
    return positions == 0 ? node : (node << positions | node >> (d - positions)) & (bit(d) - 1);
}

// The smallest member of every class of level k (k ones), ascending; the block class 0..01..1 is the first.
std::vector<NodeId> classes_of_level(unsigned k, unsigned d);

// Members of a node's class: d, or fewer if its bits are periodic.
unsigned class_size(NodeId node, unsigned d);

}  // namespace dcube::detail
