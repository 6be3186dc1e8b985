// Limits where sizes have 64 bits, and where they have 32; estimates that do not wrap.

#include "base/numbers.hpp"
#include "base/sizes.hpp"
#include "collectives/limits.hpp"
#include "collectives/problem_fields.hpp"
#include "run/working_memory.hpp"
#include "tests/support/catch.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/machine.hpp>

#include <cstdint>
#include <limits>
#include <new>
#include <type_traits>
#include <variant>

using namespace dcube;

using Narrow = std::uint32_t;
using Wide = std::uint64_t;

TEST_CASE("limits follow the width of sizes", "[base]")
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

TEST_CASE("sizes are read in 64 bits, and refused where they do not fit in 32", "[base]")
{
    const auto read = [](std::string_view text) {
        return parse_size("--bytes", text, NumberRange{0, largest_size<Narrow>});
    };
    CHECK(read("2GiB") == Wide{1} << 31);
    CHECK(read("2147483648") == Wide{1} << 31);
    for (const char* const text : {"4GiB", "3G", "4294967297", "1EiB", "16EiB", "18446744073709551616", "4194305KiB"}) {
        CAPTURE(text);
        CHECK_THROWS_WITH(read(text), "--bytes " + std::string(text) + " is too large: at most 2^31 bytes are allowed");
    }
    CHECK_THROWS_WITH(parse_size("--bytes", "8EiB"), "--bytes 8EiB is too large: at most 2^62 bytes are allowed");
}

TEST_CASE("numbers of a problem are at most what their data members can hold", "[base]")
{
    Problem problem;
    const NumberRange any{1, std::numeric_limits<std::uint64_t>::max()};
    CHECK_THROWS_WITH(set_field(problem_field("packets"), "18446744073709551616", any, problem),
                      Catch::Contains("too large"));
    CHECK_THROWS_WITH(set_field(problem_field("root"), "4294967297", any, problem),
                      "--root 4294967297 is too large: 1 to 4294967295 are allowed");
    CHECK(problem_field("packets").largest == std::numeric_limits<decltype(problem.packets)>::max());
    CHECK(problem_field("bytes").largest == std::numeric_limits<decltype(problem.bytes)>::max());
}

TEST_CASE("an allocation must fit in a size, and estimates saturate at the largest number", "[base]")
{
    CHECK(allocatable<Narrow>(0xffffffffU) == 0xffffffffU);
    CHECK_THROWS_AS(allocatable<Narrow>(Wide{1} << 32), std::bad_alloc);
    CHECK(as_size<Narrow>(0xffffffffU) == 0xffffffffU);

    constexpr Wide largest = std::numeric_limits<Wide>::max();
    CHECK(sum_or_most(largest - 1, 1) == largest);
    CHECK(sum_or_most(largest - 1, 2) == largest);
    CHECK(sum_or_most(3, 4) == 7);
}

TEST_CASE("estimates of memory have 64 bits", "[base]")
{
    const Problem problem;
    const Topology cube = Topology::hypercube(3);
    const Algorithm& any = find_algorithm(cube, PortModel::all, problem, "auto");
    STATIC_REQUIRE(std::is_same_v<decltype(any.storage(cube, problem)), Wide>);
    STATIC_REQUIRE(std::is_same_v<decltype(storage_of(any, cube, problem)), Wide>);
    STATIC_REQUIRE(std::is_same_v<decltype(machine_memory(cube, {})), Wide>);
    STATIC_REQUIRE(std::is_same_v<decltype(working_memory(any, cube, problem)), Wide>);
    STATIC_REQUIRE(std::is_same_v<decltype(memory_of_a_rank(any, cube, {}, problem)), Wide>);
}
