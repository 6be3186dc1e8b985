#pragma once
// The largest problems, by the width of std::size_t: where it has 64 bits, everything that is counted of them fits in
// 64 bits with room to spare; where it has 32, the data of all nodes fit into memory.

#include "base/sizes.hpp"

namespace dcube {

/// Bytes of all nodes' inputs, and of their outputs.
template <class Size>
constexpr Size largest_data = power_by_width<Size>(56, 30);

/// Elements of a matrix.
template <class Size>
constexpr Size largest_matrix = power_by_width<Size>(48, 28);

}  // namespace dcube
