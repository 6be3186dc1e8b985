// Sizes of 64 bits, and of 32; estimates that do not wrap.

#include "base/numbers.hpp"
#include "base/sizes.hpp"
#include "tests/support/catch.hpp"

#include <cstdint>
#include <limits>
#include <new>
#include <string>
#include <string_view>

using namespace dcube;

using Narrow = std::uint32_t;
using Wide = std::uint64_t;

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

TEST_CASE("decimal numbers are read whole, or not at all", "[base]")
{
    CHECK(parsed_decimal("0.4") == 0.4);
    CHECK(parsed_decimal("3") == 3.0);
    CHECK(parsed_decimal("-1e-3") == -1e-3);
    CHECK(parsed_decimal(".5E+1") == 5.0);
    for (const char* const text :
         {"", "-", ".", "+3", " 3", "3 ", "1s", "1e", "1..2", "--3", "0x10", "1e400", "inf", "nan"}) {
        CAPTURE(text);
        CHECK_FALSE(parsed_decimal(text).has_value());
    }
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
