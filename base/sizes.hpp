#pragma once
// Sizes where std::size_t has 64 bits, and where it has 32 (WebAssembly).
//
// Sizes of what lies in memory are std::size_t; estimates, and numbers that may be far larger, are std::uint64_t.

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>

namespace dcube {

/// A number of bytes or things that are in memory, or that were checked to fit.
template <class Size = std::size_t>
constexpr Size as_size(std::uint64_t number)
{
    assert(std::in_range<Size>(number));
    return static_cast<Size>(number);
}

/// A number of things to allocate that has not been checked to fit. Throws std::bad_alloc, as the allocation would, if
/// it does not fit.
template <class Size = std::size_t>
constexpr Size allocatable(std::uint64_t number)
{
    if (!std::in_range<Size>(number))
        throw std::bad_alloc();
    return static_cast<Size>(number);
}

/// The sum, or the largest number where that is less: for estimates.
constexpr std::uint64_t sum_or_most(std::uint64_t a, std::uint64_t b)
{
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    return a > most - b ? most : a + b;
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
