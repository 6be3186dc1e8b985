#include "algorithms/programs/cut.hpp"
#include "tests/support/catch.hpp"

#include <vector>

using namespace dcube;
using namespace dcube::detail;

TEST_CASE("balanced parts lie side by side, and the first ones are a unit longer", "[cut]")
{
    for (const std::size_t units : {0U, 1U, 5U, 12U, 17U}) {
        for (const std::size_t p : {1U, 3U, 5U, 8U}) {
            CAPTURE(units, p);
            std::size_t at = 0;
            for (std::size_t i = 0; i < p; ++i) {
                const auto [offset, length] = balanced_part(units, p, i);
                CHECK(offset == at);
                CHECK(length == units / p + (i < units % p ? 1 : 0));
                at += length;
            }
            CHECK(at == units);
        }
    }
}

TEST_CASE("staggered parts lie side by side, and the longer ones begin at x and go round", "[cut]")
{
    constexpr std::size_t units = 17;
    constexpr std::size_t p = 5;
    const std::vector<std::vector<std::size_t>> lengths = {
        {4, 4, 3, 3, 3}, {3, 4, 4, 3, 3}, {3, 3, 4, 4, 3}, {3, 3, 3, 4, 4}, {4, 3, 3, 3, 4}};
    for (std::size_t x = 0; x < p; ++x) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < p; ++i) {
            CAPTURE(x, i);
            const auto [offset, length] = staggered_part(units, p, i, x);
            CHECK(offset == at);
            CHECK(length == lengths[x][i]);
            at += length;
        }
        CHECK(at == units);
    }
}

TEST_CASE("a stagger is the sum of the positions of the 1 bits, modulo d", "[cut]")
{
    CHECK(one_positions(0b10110) == std::vector<Port>{1, 2, 4});
    CHECK(one_positions(0).empty());
    CHECK(stagger(0, 5) == 0);
    CHECK(stagger(0b10110, 5) == (1 + 2 + 4) % 5);
    CHECK(stagger(0b10110, 8) == 7);
}
