#pragma once
// Averages: sums that are divided in the end, by every node that gets one and by those who check them.

#include <dcube/elements.hpp>
#include <dcube/node.hpp>

#include <cstddef>
#include <span>

namespace dcube::detail {

// Divides floats that lie anywhere in memory.
void divide(std::span<std::byte> elements, ElementType type, NodeId divisor);

}  // namespace dcube::detail
