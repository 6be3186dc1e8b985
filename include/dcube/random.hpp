#pragma once
/// @file
/// Random: numbers that are the same on every machine and with every compiler.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup program
/// @{

/// xoshiro256** of Blackman & Vigna, begun with SplitMix64. A uniform random bit generator of 64 bits, so the standard
/// library's distributions take it; below() and uniform() give the same numbers everywhere, which those do not.
class Random {
public:
    /// The type of its numbers.
    using result_type = std::uint64_t;

    /// Another sequence for each `stream` of a seed.
    explicit Random(std::uint64_t seed, std::uint64_t stream = 0)
    {
        std::uint64_t state = mixed(seed) + stream;
        for (std::uint64_t& word : state_)
            word = mixed(state += golden);
    }

    /// The smallest number.
    static constexpr std::uint64_t min() { return 0; }
    /// The largest number.
    static constexpr std::uint64_t max() { return ~std::uint64_t{0}; }

    /// The next number of 64 bits.
    std::uint64_t operator()()
    {
        const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
        const std::uint64_t shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    /// 0, 1, ..., bound - 1, each as likely as the others. `bound` must not be 0.
    std::uint64_t below(std::uint64_t bound)
    {
        const std::uint64_t surplus = (0 - bound) % bound;  // 2^64 less the largest multiple of the bound
        std::uint64_t number = (*this)();
        while (number < surplus)
            number = (*this)();
        return number % bound;
    }

    /// A number of at least 0 and less than 1, in steps of 2^-53.
    double uniform() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

    /// Every order of `items` (a vector or a span) as likely as the others.
    template <class Items>
    void shuffle(Items&& items)
    {
        for (std::size_t left = items.size(); left > 1; --left)
            std::swap(items[left - 1], items[static_cast<std::size_t>(below(left))]);
    }

private:
    static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;

    static std::uint64_t mixed(std::uint64_t word)
    {
        word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9U;
        word = (word ^ word >> 27) * 0x94d049bb133111ebU;
        return word ^ word >> 31;
    }

    std::uint64_t state_[4];
};

/// @}

}  // namespace dcube
#pragma GCC visibility pop
