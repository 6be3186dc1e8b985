#include "explain/formula.hpp"
#include "tests/support/catch.hpp"

#include <stdexcept>
#include <string>
#include <vector>

using namespace dcube::explain;
using dcube::detail::Exact;

TEST_CASE("formulas: they are worked out line by line", "[explain]")
{
    const Variables variables{{"d", 4}, {"g", 4}, {"m", 192}, {"tau", 1}, {"beta", 10}, {"N", 16}, {"q", 2}};
    using Lines = std::vector<std::string>;
    CHECK(Formula("(d + g - 1) (tau ceil(m/(d g)) + beta)").lines(variables) ==
          Lines{"(d + g - 1) (tau ceil(m/(d g)) + beta)", "(4 + 4 - 1) x (1 x ceil(192 / (4 x 4)) + 10)",
                "7 x (1 x ceil(192 / 16) + 10)", "7 x (1 x 12 + 10)", "7 x 22", "154"});
    CHECK(Formula("ceil(m/d) + d - 1").lines({{"m", 8}, {"d", 5}}) ==
          Lines{"ceil(m/d) + d - 1", "ceil(8 / 5) + 5 - 1", "2 + 5 - 1", "6"});
    CHECK(Formula("m d 2^(d - 1)").lines({{"m", 1}, {"d", 3}}) ==
          Lines{"m d 2^(d - 1)", "1 x 3 x 2^(3 - 1)", "1 x 3 x 4", "12"});
    CHECK(Formula("2 (1 - 1/2^q) tau m/d + (d - q) tau m/(d 2^q) + (d + q) beta").value(variables) == 156);
    CHECK(Formula("N - (d - q)").lines(variables) == Lines{"N - (d - q)", "16 - (4 - 2)", "16 - 2", "14"});
    CHECK(Formula("d").lines({{"d", 3}}) == Lines{"d", "3"});
    CHECK(Formula("0").lines({}) == Lines{"0"});
    CHECK(Formula("max(d, min(m, N))").value(variables) == 16);
    CHECK(Formula("tau m").lines({{"tau", Exact(5, 2)}, {"m", 3}}) == Lines{"tau m", "(5/2) x 3", "15/2"});
}

TEST_CASE("formulas: what is none is refused", "[explain]")
{
    for (const char* const text : {"", "(", "d +", "ceil d", "d)", "ceil(d", "2 # 3"})
        CHECK_THROWS_AS(Formula(text), std::logic_error);
    CHECK_THROWS_AS(Formula("d").value({}), std::logic_error);
    CHECK_THROWS_AS(Formula("1/d").value({{"d", 0}}), std::logic_error);
}
