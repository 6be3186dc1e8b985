#pragma once
// The bytes that a seeded run starts from: a function of seed, origin, target and offset that costs one multiplication
// for 8 bytes and next to nothing for each message, since messages may be 8 bytes long and many.

#include "base/half_floats.hpp"

#include <dcube/problem.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace dcube::pattern {

// Odd constants without pattern; neighbouring origins, targets and words are far apart.
inline constexpr std::uint64_t per_origin = 0xd1342543de82ef95U;
inline constexpr std::uint64_t per_target = 0x2545f4914f6cdd1dU;
inline constexpr std::uint64_t per_word = 0x9e3779b97f4a7c15U;

inline std::uint64_t scrambled(std::uint64_t x)
{
    x = (x ^ (x >> 32)) * 0xbf58476d1ce4e5b9U;
    return x ^ (x >> 29);
}

/// The key of the message from `origin` to `target` (0 where all nodes get it); word i of it is made from key + i *
/// per_word.
inline std::uint64_t message_key(std::uint64_t seed, std::uint64_t origin, std::uint64_t target)
{
    return scrambled(scrambled(seed + per_word)) + origin * per_origin + target * per_target;
}

/// The target that a message is made for: all nodes' contributions to one sum, or copies of one message, have none.
inline NodeId target_of(const Problem& problem, NodeId target)
{
    return traits(problem.collective).before.share == Share::message_per_node ? target : 0;
}

/// The rule that makes elements of words: Raw for integers and plain bytes.
struct Raw {
    static std::uint64_t word(std::uint64_t key) { return scrambled(key); }
};

/// Small integers: the top bits of a half word, from -2^bits to 2^bits - 1.
struct Floats {
    unsigned shift;

    [[nodiscard]] std::uint64_t word(std::uint64_t key) const
    {
        const std::uint64_t raw = scrambled(key);
        const auto low = static_cast<std::int32_t>(static_cast<std::uint32_t>(raw)) >> shift;
        const auto high = static_cast<std::int32_t>(static_cast<std::uint32_t>(raw >> 32)) >> shift;
        return std::bit_cast<std::uint64_t>(std::array{static_cast<float>(low), static_cast<float>(high)});
    }
};

struct Doubles {
    unsigned shift;

    [[nodiscard]] std::uint64_t word(std::uint64_t key) const
    {
        const auto high = static_cast<std::int32_t>(static_cast<std::uint32_t>(scrambled(key) >> 32)) >> shift;
        return std::bit_cast<std::uint64_t>(static_cast<double>(high));
    }
};

/// Small integers of 16-bit floats.
template <class Half>
struct Halves {
    unsigned shift;

    [[nodiscard]] std::uint64_t word(std::uint64_t key) const
    {
        const std::uint64_t raw = scrambled(key);
        std::uint64_t all = 0;
        for (unsigned at = 0; at < 64; at += 16) {
            const auto number = static_cast<std::int16_t>(static_cast<std::uint16_t>(raw >> at)) >> shift;
            all |= std::uint64_t{Half::bits(static_cast<float>(number))} << at;
        }
        return all;
    }
};

/// 1 or -1 of 16-bit floats.
template <class Half>
struct HalfSigns {
    static std::uint64_t word(std::uint64_t key)
    {
        constexpr std::uint64_t each = 0x0001000100010001U;
        return Half::one * each | (scrambled(key) & 0x8000U * each);
    }
};

/// 1 or -1, whose products are exact; of floats.
template <class T>
struct Signs {
    static std::uint64_t word(std::uint64_t key)
    {
        constexpr std::uint64_t signs = sizeof(T) == 4 ? 0x8000000080000000U : 0x8000000000000000U;
        const std::array<T, 8 / sizeof(T)> ones = [] {
            std::array<T, 8 / sizeof(T)> all{};
            all.fill(1);
            return all;
        }();
        return std::bit_cast<std::uint64_t>(ones) ^ (scrambled(key) & signs);
    }
};

/// Few different numbers, so that some are equal.
struct Few {
    static std::uint64_t word(std::uint64_t key) { return scrambled(key) % 16; }
};

/// Odd numbers, whose products are not 0 modulo a power of two.
struct Odd {
    static std::uint64_t word(std::uint64_t key) { return scrambled(key) | 0x0101010101010101U; }
};

/// Bits that are set (`otherwise`: not set) at one of 2^rounds places, so that combining all of them tells nodes apart.
struct Rare {
    unsigned rounds;
    bool otherwise;

    [[nodiscard]] std::uint64_t word(std::uint64_t key) const
    {
        std::uint64_t bits = scrambled(key);
        for (unsigned round = 1; round < rounds; ++round)
            bits &= scrambled(key += per_origin ^ per_target);
        return otherwise ? ~bits : bits;
    }
};

/// Words that are 0 (`otherwise`: not 0) at one of `one_in` places; elsewhere no element is (all are).
struct Truths {
    std::uint64_t one_in;
    bool otherwise;

    [[nodiscard]] std::uint64_t word(std::uint64_t key) const
    {
        const std::uint64_t raw = scrambled(key);
        const bool is_rare = scrambled(raw) % one_in == 0;
        return is_rare == otherwise ? raw | 0x0101010101010101U : 0;
    }
};

/// Calls `work` with the maker of words for operations on whole numbers.
template <class Work>
decltype(auto) with_whole_words(Operation operation, NodeId nodes, const Work& work)
{
    const auto rounds = static_cast<unsigned>(std::max(1, static_cast<int>(std::bit_width(nodes - 1))));
    switch (operation) {
    case Operation::prod: return work(Odd{});
    case Operation::bit_and: return work(Rare{rounds, true});
    case Operation::bit_or: return work(Rare{rounds, false});
    case Operation::logical_and: return work(Truths{nodes, false});
    case Operation::logical_or: return work(Truths{nodes, true});
    case Operation::logical_xor: return work(Truths{2, true});
    case Operation::sum:
    case Operation::min:
    case Operation::max:
    case Operation::bit_xor:
    case Operation::avg:
    case Operation::minloc:
    case Operation::maxloc: break;
    }
    return work(Raw{});
}

/// Calls `work` with the maker of words that suits the problem's elements and operation.
template <class Work>
decltype(auto) with_words(const Problem& problem, const Topology& topology, const Work& work)
{
    // The sum of N values stays below 2^24, so that float holds every partial sum exactly.
    const auto bits =
        static_cast<unsigned>(std::min<int>(6, 24 - static_cast<int>(std::bit_width(topology.nodes() - 1))));
    if (!is_reduction(problem.collective))
        return work(Raw{});
    const bool multiplies = !problem.own_operation && problem.operation == Operation::prod;
    if (problem.type == ElementType::float32)
        return multiplies ? work(Signs<float>{}) : work(Floats{31 - bits});
    if (problem.type == ElementType::float64)
        return multiplies ? work(Signs<double>{}) : work(Doubles{31 - bits});
    if (problem.type == ElementType::int64_int64)
        return work(Few{});
    if (problem.type == ElementType::double_int64)
        return work(Doubles{27});             // the places are the bits of such doubles
    constexpr unsigned shift_of_halves = 12;  // from -8 to 7
    if (problem.type == ElementType::float16)
        return multiplies ? work(HalfSigns<detail::Float16>{}) : work(Halves<detail::Float16>{shift_of_halves});
    if (problem.type == ElementType::bfloat16)
        return multiplies ? work(HalfSigns<detail::Bfloat16>{}) : work(Halves<detail::Bfloat16>{shift_of_halves});
    return with_whole_words(problem.own_operation ? Operation::sum : problem.operation, topology.nodes(), work);
}

/// Writes a stretch of a message that begins at a whole word, with the key of that word.
template <class Words>
void write(const Words& words, std::uint64_t key, std::byte* into, std::size_t bytes)
{
    std::size_t at = 0;
    for (; bytes - at >= 8; at += 8, key += per_word) {
        const std::uint64_t word = words.word(key);
        std::memcpy(into + at, &word, 8);
    }
    if (at != bytes) {
        const std::uint64_t word = words.word(key);
        std::memcpy(into + at, &word, bytes - at);
    }
}

/// Whether a stretch of a message holds what write() writes.
template <class Words>
bool matches(const Words& words, std::uint64_t key, const std::byte* found, std::size_t bytes)
{
    std::uint64_t difference = 0;
    std::size_t at = 0;
    for (; bytes - at >= 8; at += 8, key += per_word) {
        std::uint64_t word = 0;
        std::memcpy(&word, found + at, 8);
        difference |= word ^ words.word(key);
    }
    if (at != bytes) {
        const std::uint64_t word = words.word(key);
        std::byte expected[8];
        std::memcpy(expected, &word, 8);
        for (std::size_t i = 0; at + i < bytes; ++i)  // shorter than a call of memcmp
            difference |= static_cast<std::uint64_t>(expected[i] ^ found[at + i]);
    }
    return difference == 0;
}

}  // namespace dcube::pattern
