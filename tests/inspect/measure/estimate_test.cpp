// One estimator: a vote for each round.

#include "inspect/measure/estimate.hpp"
#include "tests/support/catch.hpp"

#include <cmath>
#include <random>
#include <vector>

using namespace dcube::measure;

namespace {

std::vector<Round> rounds_with(const std::vector<double>& seconds, unsigned process = 0)
{
    std::vector<Round> rounds;
    for (const double one : seconds)
        rounds.push_back({.samples_seconds = {one}, .process = process});
    return rounds;
}

std::vector<Round> joined(std::vector<Round> first, const std::vector<Round>& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

}  // namespace

TEST_CASE("estimate: each round has one vote", "[measure]")
{
    std::vector<Round> rounds = rounds_with({4, 4, 4, 4, 4, 1, 1, 1, 1});
    rounds.back().samples_seconds.assign(1000, 1);
    const Estimate estimate = estimate_of(rounds);
    CHECK(estimate.seconds == 4);
    CHECK(estimate.interval == Interval{1, 4});
    CHECK_FALSE(estimate_of(rounds_with({1, 1, 1, 1, 1})).interval);
}

TEST_CASE("estimate: rounds fall into two groups only if the split leaves a tenth of the variance", "[measure]")
{
    const auto groups = [](const std::vector<double>& seconds) { return modes_of(votes_of(rounds_with(seconds))); };
    const auto two = groups({1822, 1823, 1807, 1840, 1813, 1794, 639, 641, 638});
    REQUIRE(two);
    CHECK((*two)[0] == Mode{639, 3});
    CHECK((*two)[1] == Mode{1817.5, 6});
    CHECK_FALSE(groups({1, 2, 3, 4, 5, 6, 7, 8, 9}));
    CHECK_FALSE(groups({1, 1, 1, 1, 1, 1, 1, 1, 3}));            // one round is no group
    CHECK_FALSE(groups({1, 1, 1, 1, 1.1, 1.1, 1.1, 1.1, 1.1}));  // too near to each other
    CHECK_FALSE(groups({1, 1, 1, 1, 1, 1}));
    CHECK(groups({1, 1.01, 0.99, 1.3, 1.31, 1.29}));
}

TEST_CASE("estimate: noise makes no groups", "[measure]")
{
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    int found = 0;
    for (int i = 0; i < 300; ++i) {
        std::vector<double> seconds(9);
        for (double& one : seconds)
            one = std::exp(0.1 * normal(random));
        found += modes_of(votes_of(rounds_with(seconds))) ? 1 : 0;
    }
    CHECK(found <= 15);
}

TEST_CASE("estimate: processes that differ widen the interval, by Student's quantile", "[measure]")
{
    const std::vector<double> still(9, 1.0);
    CHECK(estimate_of(rounds_with(still)).interval == Interval{1, 1});
    std::vector<Round> rounds;
    for (unsigned process = 0; process < 3; ++process)
        rounds = joined(rounds, rounds_with(std::vector<double>(9, std::exp(0.01 * (process - 1.0))), process));
    const Estimate estimate = estimate_of(rounds);
    CHECK(estimate.seconds == 1);
    CHECK(std::log(estimate.interval->high) == Approx(4.3027 * 0.01 / std::sqrt(3)).epsilon(1e-3));
    const std::optional<Interval> apart = interval_of_ratio_apart(rounds, rounds);
    CHECK(std::log(apart->high) == Approx(2.7764 * 0.01 * std::sqrt(2.0 / 3)).epsilon(1e-3));
    CHECK(interval_of_ratio_together(rounds, rounds) == Interval{1, 1});
}

TEST_CASE("estimate: cells that shared their rounds are compared round by round, by process", "[measure]")
{
    const std::vector<Round> first = joined(rounds_with({1, 2, 1, 2, 1, 2}), rounds_with({5, 6, 5, 6}, 1));
    std::vector<Round> second = joined(rounds_with({2, 4, 2, 4, 2, 4}), rounds_with({10, 12, 10, 12}, 1));
    CHECK(share_rounds(first, second));
    const std::optional<Interval> interval = interval_of_ratio_together(second, first);
    CHECK(interval == Interval{2, 2});
    second[3].samples_seconds.clear();  // a vote that is missing does not shift the others
    second[3].disturbed_seconds = {50};
    CHECK(interval_of_ratio_together(second, first) == Interval{2, 2});
    second.pop_back();
    CHECK_FALSE(share_rounds(first, second));
}

TEST_CASE("estimate: a long run that is always disturbed still shows a large difference", "[measure]")
{
    std::vector<Round> slow(9);
    for (Round& round : slow) {
        round.disturbed_seconds = {0.09, 0.12};
        round.disturbed_bounds = {{0.005, 0.09}, {0.01, 0.12}};
    }
    const std::vector<Round> fast = rounds_with(std::vector<double>(9, 0.001));
    const std::optional<Interval> ratio = interval_of_ratio_together(slow, fast);
    CHECK(ratio->low == Approx(10));  // of the run whose bounds are the nearest to each other
    CHECK(ratio->high == Approx(120));
}

TEST_CASE("estimate: the interval of a ratio holds the true one in 95 of 100 pairs of series", "[measure]")
{
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    for (const unsigned rounds : {6U, 9U, 30U}) {
        CAPTURE(rounds);
        constexpr int pairs = 1000;
        int held = 0;
        for (int pair = 0; pair < pairs; ++pair) {
            std::vector<double> first(rounds);
            std::vector<double> second(rounds);
            for (double& value : first)
                value = 3 * std::exp(0.02 * normal(random));
            for (double& value : second)
                value = 2 * std::exp(0.02 * normal(random));
            const std::optional<Interval> interval = interval_of_ratio_apart(rounds_with(first), rounds_with(second));
            REQUIRE(interval.has_value());
            held += interval->low <= 1.5 && 1.5 <= interval->high ? 1 : 0;
        }
        CHECK(held >= pairs * 95 / 100);
    }
}

TEST_CASE("estimate: in turns, disturbed runs count only where there are too few undisturbed rounds of both",
          "[measure]")
{
    const auto rounds = [](double seconds, std::size_t undisturbed) {
        std::vector<Round> all(9);
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i < undisturbed)
                all[i].samples_seconds = {seconds};
            all[i].disturbed_seconds = {3 * seconds, 5 * seconds};
            all[i].disturbed_bounds = {{seconds / 2, 3 * seconds}, {seconds / 2, 5 * seconds}};
        }
        return all;
    };
    const RoundsInTurns few = in_turns(rounds(1, 5), rounds(2, 9));
    CHECK(few.first[0].samples_seconds == std::vector<double>{1, 3, 5});
    CHECK(few.second[8].samples_seconds == std::vector<double>{2, 6, 10});
    CHECK(few.first[8].disturbed_seconds.empty());
    const RoundsInTurns none = in_turns(rounds(1, 0), rounds(2, 0));
    CHECK(interval_of_ratio_together(none.second, none.first) == Interval{2, 2});
    CHECK(ratio_together(none.second, none.first) == 2);
    const RoundsInTurns enough = in_turns(rounds(1, 6), rounds(2, 9));
    CHECK(enough.first[0].samples_seconds == std::vector<double>{1});
    CHECK(enough.first[8].samples_seconds.empty());
    CHECK(interval_of_ratio_together(enough.second, enough.first) == Interval{2, 2});
}
