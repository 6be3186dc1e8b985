#include "algorithms/papers/bertsekas/necklaces.hpp"

#include "algorithms/programs/cube.hpp"

#include <bit>

namespace dcube::detail {

namespace {

bool is_smallest_member(NodeId node, unsigned d)
{
    for (unsigned positions = 1; positions < d; ++positions)
        if (rotated(node, positions, d) < node)
            return false;
    return true;
}

}  // namespace

std::vector<NodeId> classes_of_level(unsigned k, unsigned d)
{
    std::vector<NodeId> smallest;
    for (NodeId node = bit(k) - 1; node < bit(d); ++node)
        if (static_cast<unsigned>(std::popcount(node)) == k && is_smallest_member(node, d))
            smallest.push_back(node);
    return smallest;
}

unsigned class_size(NodeId node, unsigned d)
{
    unsigned size = 1;
    while (rotated(node, size % d, d) != node)
        ++size;
    return size;
}

}  // namespace dcube::detail
