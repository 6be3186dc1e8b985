#pragma once
// 16-bit floats by their bits: the binary16 of IEEE 754, and bfloat16, the upper half of a float. Arithmetic is done in
// float and rounded once, to nearest and ties to even: for sums and products that is the same as rounding the exact
// result, as float has more than twice as many digits.

#include <bit>
#include <cstdint>

namespace dcube::detail {

struct Float16 {
    static constexpr std::uint16_t one = 0x3c00;
    static constexpr double rounding = 0x1p-11;  // half a unit in the last place of 1
    static constexpr double largest = 65504;

    static float value(std::uint16_t half)
    {
        const std::uint32_t sign = (half & 0x8000U) << 16;
        const std::uint32_t exponent = half >> 10 & 31U;
        const std::uint32_t fraction = half & 0x3ffU;
        if (exponent == 0) {
            const float small = static_cast<float>(fraction) * 0x1p-24F;
            return sign == 0 ? small : -small;
        }
        const std::uint32_t widened = exponent == 31 ? 0xffU : exponent + 112;
        return std::bit_cast<float>(sign | widened << 23 | fraction << 13);
    }

    static std::uint16_t bits(float x)
    {
        const auto all = std::bit_cast<std::uint32_t>(x);
        const std::uint32_t sign = all >> 16 & 0x8000U;
        const std::uint32_t magnitude = all & 0x7fffffffU;
        if (magnitude > 0x7f800000U)
            return 0x7e00;  // not a number
        if (magnitude >= 0x477ff000U)
            return static_cast<std::uint16_t>(sign | 0x7c00U);  // rounds to infinity
        if (magnitude < 0x38800000U) {  // below the smallest normal number: units of 2^-24 are those of 0.5 in float
            const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
            return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000U));
        }
        const std::uint32_t rounded = magnitude + 0xfffU + (magnitude >> 13 & 1U);
        return static_cast<std::uint16_t>(sign | (rounded - 0x38000000U) >> 13);
    }
};

struct Bfloat16 {
    static constexpr std::uint16_t one = 0x3f80;
    static constexpr double rounding = 0x1p-8;
    static constexpr double largest = 0x1.fep127;

    static float value(std::uint16_t half) { return std::bit_cast<float>(std::uint32_t{half} << 16); }

    static std::uint16_t bits(float x)
    {
        const auto all = std::bit_cast<std::uint32_t>(x);
        if ((all & 0x7fffffffU) > 0x7f800000U)
            return 0x7fc0;  // not a number
        return static_cast<std::uint16_t>((all + 0x7fffU + (all >> 16 & 1U)) >> 16);
    }
};

}  // namespace dcube::detail
