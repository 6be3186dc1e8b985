// Limits where sizes have 64 bits, and where they have 32.

#include "base/numbers.hpp"
#include "base/sizes.hpp"
#include "collectives/limits.hpp"
#include "collectives/problem_fields.hpp"
#include "tests/support/catch.hpp"

#include <cstdint>
#include <limits>

using namespace dcube;

using Narrow = std::uint32_t;
using Wide = std::uint64_t;

TEST_CASE("limits follow the width of sizes", "[collectives]")
{
    STATIC_REQUIRE(largest_size<Wide> == Wide{1} << 62);
    STATIC_REQUIRE(largest_size<Narrow> == Narrow{1} << 31);
    STATIC_REQUIRE(largest_data<Wide> == Wide{1} << 56);
    STATIC_REQUIRE(largest_data<Narrow> == Narrow{1} << 30);
    STATIC_REQUIRE(largest_matrix<Wide> == Wide{1} << 48);
    STATIC_REQUIRE(largest_matrix<Narrow> == Narrow{1} << 28);
    CHECK(power_text(largest_data<Wide>) == "2^56");
    CHECK(power_text(largest_data<Narrow>) == "2^30");
}

TEST_CASE("numbers of a problem are at most what their data members can hold", "[collectives]")
{
    Problem problem;
    const NumberRange any{1, std::numeric_limits<std::uint64_t>::max()};
    CHECK_THROWS_WITH(set_field(problem_field("packets"), "18446744073709551616", any, problem),
                      Catch::Contains("too large"));
    CHECK_THROWS_WITH(set_field(problem_field("root"), "4294967297", any, problem),
                      "root 4294967297 is too large: 1 to 4294967295 are allowed");
    CHECK(problem_field("packets").largest == std::numeric_limits<decltype(problem.packets)>::max());
    CHECK(problem_field("bytes").largest == std::numeric_limits<decltype(problem.bytes)>::max());
}
