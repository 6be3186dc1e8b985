// Stretches of a message, against a message of as many values.

#include "algorithms/programs/stretches.hpp"

#include "tests/support/catch.hpp"

#include <array>
#include <random>

using namespace dcube::detail;

TEST_CASE("stretches hold the value that was set last, byte by byte", "[algorithms]")
{
    constexpr std::uint64_t bytes = 24;
    std::mt19937 random(1);
    const auto below = [&random](std::uint64_t end) { return static_cast<std::uint64_t>(random()) % end; };
    for (int round = 0; round < 200; ++round) {
        Stretches<int> stretches;
        std::array<int, bytes> expected{};  // 0: nothing is there
        for (int value = 1; value <= 12; ++value) {
            const std::uint64_t begin = below(bytes);
            const std::uint64_t end = begin + 1 + below(bytes - begin);
            stretches.set(begin, end, value);
            for (std::uint64_t at = begin; at < end; ++at)
                expected[at] = value;
            const std::uint64_t first = below(bytes);
            std::uint64_t at = first;
            for (const auto& part : stretches.parts(first, bytes)) {
                REQUIRE(part.begin == at);
                REQUIRE(part.begin < part.end);
                for (; at < part.end; ++at)
                    REQUIRE((part.value == nullptr ? 0 : *part.value) == expected[at]);
            }
            REQUIRE(at == bytes);
        }
    }
}

TEST_CASE("a range of no bytes has no stretches", "[algorithms]")
{
    Stretches<int> stretches;
    stretches.set(2, 4, 1);
    CHECK(stretches.parts(3, 3).empty());
    CHECK(stretches.parts(0, 8).size() == 3);
}
