// Bytes that a node holds, and since when.

#include "tests/support/catch.hpp"

#include "judge/held_bytes.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

using namespace dcube;

TEST_CASE("stretches: every byte keeps its earliest time", "[judge]")
{
    std::mt19937 random(5);
    for (int round = 0; round < 200; ++round) {
        HeldBytes stretches;
        constexpr std::uint64_t never = ~std::uint64_t{0};
        std::vector<std::uint64_t> since(24, never);
        for (int i = 0; i < 12; ++i) {
            const std::uint64_t begin = random() % 24;
            const std::uint64_t end = begin + 1 + random() % (24 - begin);
            const std::uint64_t time = random() % 10;
            stretches.add_or_advance(7, {begin, end, time});
            for (std::uint64_t b = begin; b < end; ++b)
                since[b] = std::min(since[b], time);
            bool same = true;
            for (std::uint64_t b = 0; b < 24; ++b)
                for (std::uint64_t t = 0; t < 11; ++t) {
                    std::uint64_t absent = b;
                    while (absent < 24 && since[absent] <= t)
                        ++absent;
                    same = same && stretches.first_absent(7, b, 24, t) == absent;
                }
            CHECK(same);
        }
    }
}
