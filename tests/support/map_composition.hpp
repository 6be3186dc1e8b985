#pragma once
// An operation that does not commute: maps x -> a x + b of numbers modulo 2^32, one after the other. Seeded data are
// any such maps.

#include <dcube/elements.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace test_support {

inline dcube::OwnOperation map_composition()
{
    using Map = std::array<std::uint32_t, 2>;
    return {.name = "composition",
            .combine =
                [](std::byte* into, const std::byte* a, const std::byte* b, std::size_t bytes) {
                    for (std::size_t at = 0; at < bytes; at += sizeof(Map)) {
                        Map first;
                        Map second;
                        std::memcpy(&first, a + at, sizeof first);
                        std::memcpy(&second, b + at, sizeof second);
                        const Map both{first[0] * second[0], first[0] * second[1] + first[1]};
                        std::memcpy(into + at, &both, sizeof both);
                    }
                },
            .element = sizeof(Map),
            .commutative = false};
}

}  // namespace test_support
