#pragma once
// Sizes where std::size_t has 64 bits, and where it has 32 (WebAssembly).
//
// What lies in memory is counted in std::size_t; what is estimated, or may be far more than that, in std::uint64_t.

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace dcube {

/// A number of bytes or things that are in memory, or that were checked to fit.
template <class Size = std::size_t>
constexpr Size as_size(std::uint64_t number)
{
    assert(std::in_range<Size>(number));
    return static_cast<Size>(number);
}

/// The sum and the product, or the largest number where that is less: for estimates.
constexpr std::uint64_t sum_or_most(std::uint64_t a, std::uint64_t b)
{
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    return a > most - b ? most : a + b;
}
constexpr std::uint64_t product_or_most(std::uint64_t a, std::uint64_t b)
{
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    return b != 0 && a > most / b ? most : a * b;
}

/// 2^wide where sizes have 64 bits, 2^narrow where they have 32.
template <class Size>
constexpr Size power_by_width(unsigned wide, unsigned narrow)
{
    return Size{1} << (std::numeric_limits<Size>::digits > 32 ? wide : narrow);
}

/// The largest size that parse_size reads.
template <class Size>
constexpr Size largest_size = power_by_width<Size>(62, 31);

}  // namespace dcube
