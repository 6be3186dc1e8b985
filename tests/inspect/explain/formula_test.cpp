#include "base/formula.hpp"
#include "inspect/explain/arithmetic.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/exact.hpp"

#include <stdexcept>
#include <string>
#include <vector>

using dcube::detail::Exact;
using dcube::detail::Formula;
using dcube::detail::Letters;
using dcube::explain::lines_of;

TEST_CASE("formulas: a formula is worked out line by line", "[explain]")
{
    const Letters letters{{"d", 4}, {"g", 4}, {"m", 192}, {"tau", 1}, {"beta", 10}, {"N", 16}, {"q", 2}};
    using Lines = std::vector<std::string>;
    CHECK(lines_of(Formula("(d + g - 1) (tau ceil(m/(d g)) + beta)"), letters) ==
          Lines{"(d + g - 1) (tau ceil(m/(d g)) + beta)", "(4 + 4 - 1) x (1 x ceil(192 / (4 x 4)) + 10)",
                "7 x (1 x ceil(192 / 16) + 10)", "7 x (1 x 12 + 10)", "7 x 22", "154"});
    CHECK(lines_of(Formula("ceil(m/d) + d - 1"), {{"m", 8}, {"d", 5}}) ==
          Lines{"ceil(m/d) + d - 1", "ceil(8 / 5) + 5 - 1", "2 + 5 - 1", "6"});
    CHECK(lines_of(Formula("m d 2^(d - 1)"), {{"m", 1}, {"d", 3}}) ==
          Lines{"m d 2^(d - 1)", "1 x 3 x 2^(3 - 1)", "1 x 3 x 4", "12"});
    CHECK(Formula("2 (1 - 1/2^q) tau m/d + (d - q) tau m/(d 2^q) + (d + q) beta").value(letters) == 156);
    CHECK(lines_of(Formula("N - (d - q)"), letters) == Lines{"N - (d - q)", "16 - (4 - 2)", "16 - 2", "14"});
    CHECK(lines_of(Formula("d"), {{"d", 3}}) == Lines{"d", "3"});
    CHECK(lines_of(Formula("0"), {}) == Lines{"0"});
    CHECK(Formula("max(d, min(m, N))").value(letters) == 16);
    CHECK(Formula("max(m/4, N, d^3)").value(letters) == 64);
    CHECK(lines_of(Formula("tau m"), {{"tau", Exact(5, 2)}, {"m", 3}}) == Lines{"tau m", "(5/2) x 3", "15/2"});
}

TEST_CASE("formulas: a text that is no formula is refused", "[explain]")
{
    for (const char* const text : {"", "(", "d +", "ceil d", "d)", "ceil(d", "2 # 3"})
        CHECK_THROWS_AS(Formula(text), std::logic_error);
    CHECK_THROWS_AS(Formula("d").value({}), std::logic_error);
    CHECK_THROWS_AS(Formula("1/d").value({{"d", 0}}), std::logic_error);
}
