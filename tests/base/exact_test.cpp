// Whole numbers and fractions of any width.

#include "base/exact.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/exact.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace dcube;
using detail::Exact;
using detail::Integer;

TEST_CASE("whole numbers of any width are exact", "[base]")
{
    Integer factorial = 1;
    for (unsigned i = 1; i <= 40; ++i)
        factorial *= i;
    CHECK(factorial.str() == "815915283247897734345611269596115894272000000000");
    CHECK(factorial == Integer("815915283247897734345611269596115894272000000000"));
    CHECK(factorial / (factorial / 7) == 7);
    CHECK((factorial + 5) % 41 == (factorial % 41 + 5) % 41);
    CHECK(pow(Integer(2), 200) == Integer(1) << 200);
    CHECK(sqrt((Integer(1) << 200) - 1) == (Integer(1) << 100) - 1);
    CHECK(gcd(factorial, Integer(41 * 37)) == 37);
    CHECK(Integer(-7) / 2 == -3);
    CHECK(Integer(-7) % 2 == -1);
}

TEST_CASE("whole numbers come from every built-in type, and go back", "[base]")
{
    constexpr auto least = std::numeric_limits<std::int64_t>::min();
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    CHECK(Integer(least).str() == "-9223372036854775808");
    CHECK(Integer(most).str() == "18446744073709551615");
    CHECK(Integer(least).convert_to<std::int64_t>() == least);
    CHECK(Integer(most).convert_to<std::uint64_t>() == most);
    CHECK(Integer(std::uint8_t{200}).convert_to<unsigned>() == 200);
    CHECK(Integer(std::int16_t{-3}) == -3);
    CHECK((Integer(1) << 80).convert_to<double>() == 0x1p80);
}

TEST_CASE("exact numbers are copied, moved and sorted, wide ones too", "[base]")
{
    std::vector<Exact> numbers;
    for (unsigned i = 0; i < 300; ++i)
        numbers.push_back(Exact(Integer(i % 2 == 0 ? 1 : -1) * pow(Integer(3), i), 2));
    const std::vector<Exact> copy = numbers;
    std::ranges::sort(numbers);
    CHECK(std::ranges::is_permutation(numbers, copy));
    CHECK(numbers.front() == copy.back());
    CHECK(numbers.back() == copy[298]);
    Exact moved = std::move(numbers.back());
    numbers.back() = 1;
    CHECK(moved == copy[298]);
    moved = numbers.back();
    CHECK(moved == 1);
}

TEST_CASE("fractions are in lowest terms, and their denominators positive", "[base]")
{
    const Exact value(6, -4);
    CHECK(numerator(value) == -3);
    CHECK(denominator(value) == 2);
    CHECK(denominator(value + Exact(1, 2)) == 1);
    CHECK(denominator(value * Exact(2, 9)) == 3);
    CHECK(denominator(value / Exact(-3, 4)) == 1);
    CHECK(-value - 1 == Exact(1, 2));
    CHECK(1 - 1 / Exact(3) == Exact(2, 3));
    CHECK(denominator(Exact(0, -5)) == 1);
}

TEST_CASE("fractions are compared exactly", "[base]")
{
    const Integer wide = Integer(1) << 100;
    CHECK(Exact(wide, wide + 1) < Exact(wide + 1, wide + 2));
    CHECK(Exact(-1, 3) < Exact(-1, 4));
    CHECK(Exact(7, 7) == 1);
    CHECK(detail::ceiling(Exact(7, 2)) == 4);
    CHECK(detail::ceiling(Exact(-7, 2)) == -3);
    CHECK(detail::ceiling(4) == 4);
}

TEST_CASE("exact numbers are not divided by 0", "[base]")
{
    CHECK_THROWS_AS(Integer(1) / 0, std::overflow_error);
    CHECK_THROWS_AS(Integer(1) % 0, std::overflow_error);
    CHECK_THROWS_AS(Exact(1) / 0, std::overflow_error);
    CHECK_THROWS_AS(Exact(1, 0), std::overflow_error);
}
