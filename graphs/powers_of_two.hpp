#pragma once
// Powers of two in whole numbers: prices and penalties that are the same on every machine, which std::exp is not.

#include <array>
#include <cstddef>
#include <cstdint>

namespace dcube::detail {

// An exponent of 1 is that much.
inline constexpr std::int64_t exponent_unit = 4096;

// ln is log2 times this, as a fraction: e^x = 2^(x * natural_exponent / natural_exponent_unit).
inline constexpr std::int64_t natural_exponent = 14427;
inline constexpr std::int64_t natural_exponent_unit = 10000;

// 2^(i / 4096) in units of 2^-32, to about 6 digits.
inline constexpr std::array<std::uint64_t, exponent_unit> powers_below_two = [] {
    constexpr std::uint64_t growth = 1'488'648'191;  // (2^(1/4096) - 1) 2^43
    std::array<std::uint64_t, exponent_unit> powers{};
    std::uint64_t power = std::uint64_t{1} << 32;
    for (std::uint64_t& each : powers) {
        each = power;
        power += power * growth >> 43;
    }
    return powers;
}();

// 2^(bits + exponent / 4096), rounded down; the result must be below 2^63.
constexpr std::uint64_t power_of_two(std::int64_t exponent, int bits)
{
    const std::int64_t whole = exponent >> 12;
    const std::uint64_t fraction = powers_below_two[static_cast<std::size_t>(exponent & (exponent_unit - 1))];
    const std::int64_t shift = whole + bits - 32;
    if (shift >= 0)
        return fraction << shift;
    return shift > -64 ? fraction >> -shift : 0;
}

}  // namespace dcube::detail
