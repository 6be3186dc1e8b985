#pragma once
// Copies of packets in loops.

#include <cstddef>
#include <cstring>

namespace dcube::detail {

// Of a size that the compiler knows: a call of memcpy would cost as much again.
template <std::size_t bytes>
struct Words {
    static void copy(std::byte* to, const std::byte* from, std::size_t)
    {
        if constexpr (bytes < 16) {
            std::memcpy(to, from, bytes);
        } else {
            using Vector [[gnu::vector_size(16), gnu::aligned(1), gnu::may_alias]] = long long;
            Vector words[bytes / 16];
            for (std::size_t i = 0; i < bytes / 16; ++i)
                words[i] = reinterpret_cast<const Vector*>(from)[i];
            for (std::size_t i = 0; i < bytes / 16; ++i)
                reinterpret_cast<Vector*>(to)[i] = words[i];
        }
    }
};

// Of any size.
struct AnySize {
    static void copy(std::byte* to, const std::byte* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
};

}  // namespace dcube::detail
