#pragma once
// Labels of a hypercube's nodes: bit k is 1 where port k leads down.

#include <dcube/topology.hpp>

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

}  // namespace dcube::detail
