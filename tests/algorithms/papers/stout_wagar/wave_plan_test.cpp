// The wave plans of DISTRIBUTE 2: which are chosen, what they cost, how they are written (Stout & Wagar 1990, section
// 5).

#include "tests/support/catch.hpp"
#include "tests/support/exact.hpp"
#include "tests/support/link_bound.hpp"
#include "tests/support/sizes.hpp"

#include "algorithms/papers/stout_wagar/wave_plan.hpp"

#include <dcube/error.hpp>

#include <algorithm>
#include <string>

using namespace dcube;
using namespace dcube::detail;

namespace {

// "654|3|2|1"; a part of a distance's messages has a *.
std::string text_of(const WavePlan& plan)
{
    std::string text;
    for (const Wave& wave : plan) {
        text += text.empty() ? "" : "|";
        for (const Wavelet& wavelet : wave)
            text += std::to_string(wavelet.distance) + (wavelet.end - wavelet.begin == 1 ? "" : "*");
    }
    return text;
}

// Messages of m bytes with tau = beta = 1: m is tau m/beta, and times are in units of beta.
const LinkCosts units(test_support::link_bound(1, 1));

std::string best(unsigned d, const Exact& m)
{
    return text_of(best_wave_plan(d, m, units));
}

Exact best_time(unsigned d, const Exact& m)
{
    return wave_plan_time(best_wave_plan(d, m, units), d, m, units);
}

// (2^d - 1) tau m/d + k beta: the root sends all the time, and the rest is hidden behind that.
Exact hidden_time(unsigned d, const Exact& m, unsigned waves)
{
    return Exact((Integer(1) << d) - 1) * m / d + waves;
}

}  // namespace

TEST_CASE("wave plans: the best for long messages have the fewest waves", "[link-bound]")
{
    // The least k with d (1 + (d-1) + .. + (d-1)^(k-1)) >= 2^d - 1.
    const unsigned waves[] = {1, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4};
    for (unsigned d = 1; d <= test_support::smaller(12U, 9U); ++d) {
        INFO("d = " << d << ", plan " << best(d, 27720));
        CHECK(best_time(d, 27720) == hidden_time(d, 27720, waves[d - 1]));
    }
}

TEST_CASE("wave plans: whole distances suffice from a certain length on", "[link-bound]")
{
    // Between these lengths, which were found by timing all plans of whole distances apart from dcube.
    const auto hidden = [](const char* text, unsigned d, const Exact& m) {
        const WavePlan plan = parse_wave_plan(text, d);
        return wave_plan_time(plan, d, m, units) == hidden_time(d, m, static_cast<unsigned>(plan.size()));
    };
    CHECK(hidden("32|1", 3, 3));
    CHECK_FALSE(hidden("32|1", 3, Exact(29) / 10));
    CHECK(hidden("432|1", 4, 24));
    CHECK_FALSE(hidden("432|1", 4, 23));
    CHECK(hidden("543|2|1", 5, Exact(118) / 100));
    CHECK_FALSE(hidden("543|2|1", 5, Exact(117) / 100));
    CHECK(hidden("6543|2|1", 6, Exact(15) / 8));
    CHECK_FALSE(hidden("6543|2|1", 6, Exact(18) / 10));
    CHECK(hidden("8..3|2|1", 8, 56));
    CHECK_FALSE(hidden("8..3|2|1", 8, 55));
}

TEST_CASE("wave plans: the choice changes with the length of the messages", "[link-bound]")
{
    CHECK(best(6, 1) == "654|3|2|1");  // 65|43|2|1 takes as long
    CHECK(wave_plan_time(parse_wave_plan("65|43|2|1", 6), 6, 1, units) == Exact(29) / 2);
    CHECK(best_time(6, 1) == Exact(29) / 2);  // DISTRIBUTE 1 takes 63/6 + 6
    CHECK(best(6, Exact(15) / 8) == "6543|2|1");
    CHECK(best(3, 3) == "32|1");
    CHECK(best(2, 1) == "2|1");
    CHECK(best(1, 1) == "1");
    CHECK(best(0, 1).empty());
}

TEST_CASE("wave plans: where no whole distances fit in three waves, split ones are chosen", "[link-bound]")
{
    const std::string plan = best(9, 100);
    INFO(plan);
    CHECK(plan.find('*') != std::string::npos);
    CHECK(std::ranges::count(plan, '|') == 2);
}

TEST_CASE("wave plans are read as they are written", "[link-bound]")
{
    CHECK(text_of(parse_wave_plan("432|1", 4)) == "432|1");
    CHECK(text_of(parse_wave_plan("7..3|2|1", 7)) == "76543|2|1");
    CHECK(text_of(parse_wave_plan("4|3|2,1", 4)) == "4|3|21");
    CHECK(text_of(parse_wave_plan("12,11|10..1", 12)) == "1211|10987654321");
}

TEST_CASE("wave plans that are none are refused", "[link-bound][negative]")
{
    for (const char* const text :
         {"",      "|",      "||3|2|1", "3||2|1", "3|2|1|", "|3|2|1", "32|1|", "3,,2|1", "3,2,|1", "31|2",
          "1|2|3", "43|2|1", "3|2",     "3..1|1", "1..3",   "3.1",    "3|2|x", "3|2|-1", "3 2 1",  "0"}) {
        INFO(text);
        CHECK_THROWS_AS(parse_wave_plan(text, 3), InvalidArgument);
    }
    CHECK_THROWS_WITH(
        parse_wave_plan("||3|2|1", 3),
        "'||3|2|1' is not a wave plan for 3 dimensions: it names 3 to 1 once each, in falling order, with | "
        "between waves; examples: '432|1', '7..3|2|1'");
}
