#pragma once
// Copies of packets in loops.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace dcube::detail {

// Copies a size that the compiler knows, as the longest vectors of words that it makes: a call of memcpy would double
// the cost. Everything is read before anything is written.
template <std::size_t bytes>
struct Words {
    using Word = std::conditional_t<bytes % sizeof(std::uint64_t) == 0, std::uint64_t, std::uint32_t>;

    [[gnu::always_inline]] static void copy(std::byte* to, const std::byte* from, std::size_t)
    {
        std::array<Word, bytes / sizeof(Word)> words;
        for (std::size_t i = 0; i < words.size(); ++i)
            std::memcpy(&words[i], from + i * sizeof(Word), sizeof(Word));
        for (std::size_t i = 0; i < words.size(); ++i)
            std::memcpy(to + i * sizeof(Word), &words[i], sizeof(Word));
    }
};

// Copies any size.
struct AnySize {
    static void copy(std::byte* to, const std::byte* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
};

}  // namespace dcube::detail
