// Summaries and tests of samples, against values that others have published.

#include "inspect/measure/statistics.hpp"
#include "tests/support/catch.hpp"

#include <cmath>
#include <numeric>
#include <optional>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace dcube::measure;

namespace {

// 1, 2, .., n: a value is its own rank.
std::vector<double> first_numbers(std::size_t n)
{
    std::vector<double> values(n);
    std::iota(values.begin(), values.end(), 1.0);
    return values;
}

}  // namespace

TEST_CASE("statistics: median, minimum, p99 and median absolute deviation", "[measure]")
{
    // Deviations from the median 2: 1 1 0 0 2 4 7, whose median is 1 (the example of NIST and of many textbooks).
    const Summary example = summary(std::vector<double>{1, 1, 2, 2, 4, 6, 9});
    CHECK(example.count == 7);
    CHECK(example.median == 2);
    CHECK(example.mad == 1);
    CHECK(example.minimum == 1);
    CHECK(example.p99 == 9);
    CHECK(median(std::vector<double>{4, 1, 3, 2}) == 2.5);
    CHECK(summary(first_numbers(100)).p99 == 99);
    CHECK(summary(first_numbers(101)).p99 == 100);
    CHECK(summary(first_numbers(1)).p99 == 1);
    CHECK_THROWS_AS(summary({}), std::invalid_argument);
}

TEST_CASE("statistics: the interval of a median has the ranks of the tables of the sign test", "[measure]")
{
    // Ranks of distribution-free 95 % intervals of a median, as in Hahn and Meeker, Statistical Intervals, table A.15.
    for (const auto& [n, low, high] : {std::tuple{6, 1, 6},
                                       {7, 1, 7},
                                       {8, 1, 8},
                                       {9, 2, 8},
                                       {10, 2, 9},
                                       {12, 3, 10},
                                       {15, 4, 12},
                                       {20, 6, 15},
                                       {25, 8, 18},
                                       {30, 10, 21},
                                       {50, 18, 33},
                                       {100, 40, 61}}) {
        CAPTURE(n);
        const std::optional<Interval> interval = interval_of_median(first_numbers(static_cast<std::size_t>(n)));
        REQUIRE(interval.has_value());
        CHECK(interval->low == low);
        CHECK(interval->high == high);
    }
    CHECK_FALSE(interval_of_median(first_numbers(5)).has_value());
    CHECK_FALSE(interval_of_median({}).has_value());
}

TEST_CASE("statistics: the interval of a median of very many values is that of the normal approximation", "[measure]")
{
    const std::optional<Interval> interval = interval_of_median(first_numbers(10'000));
    REQUIRE(interval.has_value());
    CHECK(interval->low == Approx(5000 - 1.96 * 50).margin(2));  // n/2 - 1.96 sqrt(n)/2
    CHECK(interval->low + interval->high == 10'001);
}

TEST_CASE("statistics: a ratio's interval goes from the smallest to the largest that is possible", "[measure]")
{
    CHECK(ratio({2, 3}, {1, 2}) == Interval{1, 3});
    CHECK(ratio({1, 1}, {4, 5}) == Interval{0.2, 0.25});
}

TEST_CASE("statistics: Mann and Whitney's test has the p-values of published examples", "[measure]")
{
    // The example of SciPy's documentation of mannwhitneyu: ages at a diagnosis, U = 17, exact p = 0.1111.
    const RankTest ages = rank_test(std::vector<double>{19, 22, 16, 29, 24}, std::vector<double>{20, 11, 17, 12});
    CHECK(ages.u == 17);
    CHECK(ages.exact);
    CHECK(ages.p_value == Approx(0.1111111).epsilon(1e-6));
    // Hollander and Wolfe (1973), page 69: the example of R's wilcox.test, W = 35, one-sided p = 0.1272.
    const std::vector<double> term{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
    const std::vector<double> early{1.15, 0.88, 0.90, 0.74, 1.21};
    const RankTest permeability = rank_test(term, early);
    CHECK(permeability.u == 35);
    CHECK(permeability.p_value == Approx(2 * 0.1272).margin(1e-4));
    CHECK(rank_test(early, term).u == 15);
    CHECK(rank_test(early, term).p_value == Approx(permeability.p_value));
}

TEST_CASE("statistics: critical values of U at 1 % are those of the tables", "[measure]")
{
    // Two-sided, alpha = 0.01, n = m: U is significant up to 0 (5), 2 (6), 4 (7), 7 (8), 16 (10).
    for (const auto& [n, critical] : {std::pair{5, 0}, {6, 2}, {7, 4}, {8, 7}, {10, 16}}) {
        CAPTURE(n);
        const auto size = static_cast<double>(n);
        // Values of the second sample are 1, 2, ..; those of the first all lie below them, but for one that beats
        // as many of the second as U is to be; beyond n the next one helps.
        const auto with_u = [&](int u) {
            std::vector<double> first;
            for (int i = 0; i < n; ++i) {
                const int beats = std::min(n, u);
                u -= beats;
                first.push_back(beats + 0.5 - 0.001 * i);
            }
            return rank_test(first, first_numbers(static_cast<std::size_t>(n)));
        };
        CHECK(with_u(critical).u == critical);
        CHECK(with_u(critical).p_value <= 0.01);
        CHECK(with_u(critical + 1).u == critical + 1);
        CHECK(with_u(critical + 1).p_value > 0.01);
        CHECK(with_u(n * n / 2).p_value == Approx(1).margin(2 / size));
    }
}

TEST_CASE("statistics: ties share their ranks, and equal samples differ in nothing", "[measure]")
{
    const std::vector<double> same(8, 3.0);
    CHECK(rank_test(same, same).p_value == 1);
    CHECK(rank_test(same, same).u == 32);
    // There are 6 ways to choose 2 of the ranks 1.5 1.5 3.5 3.5: one has the sum 3 and one 7, four have 5.
    const RankTest small = rank_test(std::vector<double>{1, 1}, std::vector<double>{2, 2});
    CHECK(small.u == 0);
    CHECK(small.exact);
    CHECK(small.p_value == Approx(2.0 / 6));
    CHECK(rank_test(std::vector<double>{1, 2}, std::vector<double>{1, 2}).p_value == 1);
    CHECK_THROWS_AS(rank_test({}, same), std::invalid_argument);
    CHECK_THROWS_AS(rank_test(same, {}), std::invalid_argument);
}

TEST_CASE("statistics: large samples use the normal approximation, corrected for ties", "[measure]")
{
    // 30 against 30 values 0 or 1, 10 ones against 20: U = 300, ties of 30 and 30. By the textbook's formula the
    // variance is 900/12 (61 - 2 (27000 - 30) / (60 59)) = 3432.2, z = (150 - 0.5) / 58.585 = 2.5519, p = 0.01071.
    std::vector<double> few(30, 0.0);
    std::vector<double> many(30, 0.0);
    std::fill_n(few.begin(), 10, 1.0);
    std::fill_n(many.begin(), 20, 1.0);
    const RankTest test = rank_test(few, many);
    CHECK_FALSE(test.exact);
    CHECK(test.u == 300);
    CHECK(test.p_value == Approx(0.01071).margin(1e-5));
    const std::vector<double> equal(50, 1.0);
    CHECK(rank_test(equal, equal).p_value == 1);
}

TEST_CASE("statistics: thirds of a series that drifts are far apart, by Student's quantile", "[measure]")
{
    const std::vector<double> still(9, 1.0);
    CHECK(reach_of_thirds(still, still) == 0);
    // Thirds of e^-0.1, 1 and e^0.1: variance 0.01 of one, 0.01 / 3 of their mean; 4.3027 is t(2 degrees, 97.5 %).
    std::vector<double> drifting(9, 1.0);
    for (std::size_t i = 0; i < 9; ++i)
        drifting[i] = std::exp(i < 3 ? -0.1 : i < 6 ? 0.0 : 0.1);
    CHECK(reach_of_thirds(drifting, still) == Approx(4.3027 * std::sqrt(0.01 / 3)).epsilon(1e-4));
    CHECK(interval_of_ratio(still, still) == Interval{1, 1});
    const std::optional<Interval> interval = interval_of_ratio(drifting, still);
    CHECK(std::log(interval->high) == Approx(reach_of_thirds(drifting, still)));
    CHECK(std::log(interval->low) == Approx(-reach_of_thirds(drifting, still)));
    CHECK_FALSE(interval_of_ratio(std::vector<double>(5, 1.0), still));
}

TEST_CASE("statistics: batches of both series share their variance, by Student's quantile", "[measure]")
{
    const std::vector<double> first{-0.01, 0, 0.01};  // variance 1e-4
    const std::vector<double> second{0.98, 1, 1.02};  // 4e-4: 2.5e-4 together
    CHECK(reach_of_batches(first, {}) == Approx(4.3027 * std::sqrt(1e-4 / 3)).epsilon(1e-4));
    CHECK(reach_of_batches(first, second) == Approx(2.7764 * std::sqrt(2.5e-4 * 2 / 3)).epsilon(1e-4));
    CHECK(reach_of_batches(first, std::vector<double>{7}) == Approx(4.3027 * std::sqrt(1e-4 * 4 / 3)).epsilon(1e-4));
    CHECK_THROWS_AS(reach_of_batches(std::vector<double>{1}, std::vector<double>{2}), std::invalid_argument);
}
