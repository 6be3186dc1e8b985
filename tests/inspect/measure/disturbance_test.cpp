// Disturbed runs are told from the others, by looks that are made up; and looks at this process.

#include "inspect/measure/disturbance.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <functional>
#include <vector>

using namespace dcube::measure;

namespace {

// A machine on which time passes only in runs and, if a look costs something, in looks.
class QuietWatch : public Watch {
public:
    void begin() override { ++slices; }
    Losses look(unsigned) override
    {
        ++looks;
        time += cost;
        return losses;
    }

    [[nodiscard]] std::function<double()> clock()
    {
        return [this] { return time; };
    }

    // A run of that length, in which something happens.
    void run(
        Sieve& sieve, double seconds, const std::function<void(Losses&)>& happens = [](Losses&) {})
    {
        time += seconds;
        happens(losses);
        sieve.add(seconds);
    }

    Losses losses{.delays_known = true};
    double time = 0;
    double cost = 0;
    int slices = 0;
    int looks = 0;
};

}  // namespace

TEST_CASE("disturbance: without a watch all runs count", "[measure]")
{
    double time = 0;
    const std::function<double()> now = [&] { return time++; };
    Sieve sieve(nullptr, now, 2);
    sieve.add(1);
    sieve.add(2);
    CHECK(sieve.undisturbed() == 2);
    const Round round = sieve.finished();
    CHECK(round.samples_seconds == std::vector<double>{1, 2});
    CHECK(round.disturbed_seconds.empty());
    CHECK_FALSE(round.run_delay_seconds);
}

TEST_CASE("disturbance: a run whose thread waited for more than 2 % of it is left out, with what it would have taken",
          "[measure]")
{
    QuietWatch watch;
    const std::function<double()> now = watch.clock();
    Sieve sieve(&watch, now, 1);
    const auto wait = [](double seconds) {
        return [seconds](Losses& losses) {
            losses.delay_seconds += seconds;
            losses.all_delay_seconds += seconds;
            ++losses.switches;
        };
    };
    watch.run(sieve, 0.010);
    watch.run(sieve, 0.010, wait(0.0001));
    watch.run(sieve, 0.030, wait(0.020));
    watch.run(sieve, 0.011);  // begins on cold caches
    watch.run(sieve, 0.010);
    CHECK(sieve.all() == 5);
    CHECK(sieve.undisturbed() == 3);
    const Round round = sieve.finished();
    CHECK(round.samples_seconds == std::vector<double>{0.010, 0.010, 0.010});
    CHECK(round.disturbed_seconds == std::vector<double>{0.030, 0.011});
    REQUIRE(round.disturbed_bounds.size() == 2);
    CHECK(round.disturbed_bounds[0].high == Approx(0.010));
    CHECK(round.disturbed_bounds[0].low == Approx(0.0095));
    CHECK(round.run_delay_seconds.value() == Approx(0.0201));
    CHECK(round.switches == 2);
    CHECK(watch.slices == 1);
}

TEST_CASE("disturbance: of several threads the least time is that without all waiting, or half of the processor time",
          "[measure]")
{
    const auto bounds = [](double delay, double processor) {
        QuietWatch watch;
        const std::function<double()> now = watch.clock();
        Sieve sieve(&watch, now, 2);
        watch.run(sieve, 0.100, [&](Losses& losses) {
            losses.delay_seconds += delay;
            losses.processor_seconds += processor;
        });
        return sieve.finished().disturbed_bounds.at(0);
    };
    CHECK(bounds(0.020, 0.180).low == Approx(0.080));
    CHECK(bounds(0.150, 0.050).low == Approx(0.0125));
    CHECK(bounds(0.150, 0.050).high == Approx(0.100));
}

TEST_CASE("disturbance: waking up is none, a slow processor is one", "[measure]")
{
    QuietWatch watch;
    const std::function<double()> now = watch.clock();
    Sieve sieve(&watch, now, 2);
    watch.run(sieve, 0.001, [](Losses& losses) {
        losses.delay_seconds += 0.0002;
        losses.sleeps += 2;
    });
    CHECK(sieve.undisturbed() == 1);
    watch.run(sieve, 0.002, [](Losses& losses) { losses.slowdown = 2; });
    watch.run(sieve, 0.002, [](Losses& losses) { losses.slowdown = 1; });  // was slow when it began
    watch.run(sieve, 0.001);
    const Round round = sieve.finished();
    CHECK(round.samples_seconds.size() == 2);
    REQUIRE(round.disturbed_bounds.size() == 2);
    CHECK(round.disturbed_bounds[0].low == Approx(0.001));
}

TEST_CASE("disturbance: where waiting is not known, a thread that was taken off its processor is one", "[measure]")
{
    QuietWatch watch;
    watch.losses.delays_known = false;
    const std::function<double()> now = watch.clock();
    Sieve sieve(&watch, now, 1);
    watch.run(sieve, 0.01);
    watch.run(sieve, 0.01, [](Losses& losses) { ++losses.switches; });
    const Round round = sieve.finished();
    CHECK(round.samples_seconds.size() == 1);
    CHECK(round.disturbed_seconds.size() == 1);
    CHECK(round.disturbed_bounds.empty());
    CHECK_FALSE(round.run_delay_seconds);
    CHECK(round.switches == 1);
}

TEST_CASE("disturbance: looks take at most 1 % of the time, and short runs share their finding", "[measure]")
{
    QuietWatch watch;
    watch.cost = 1e-6;
    const std::function<double()> now = watch.clock();
    Sieve sieve(&watch, now, 1);
    watch.looks = 0;
    for (int run = 0; run < 1000; ++run)
        watch.run(sieve, 10e-6, [&](Losses& losses) { losses.delay_seconds += run == 500 ? 1e-3 : 0; });
    CHECK(watch.looks <= 100);
    CHECK(watch.looks >= 80);
    const Round round = sieve.finished();
    CHECK(round.samples_seconds.size() + round.disturbed_seconds.size() == 1000);
    CHECK(round.disturbed_seconds.size() >= 10);  // and those on cold caches
    CHECK(round.disturbed_seconds.size() <= 150);
}

TEST_CASE("disturbance: this process can be watched", "[measure]")
{
    ThreadWatch watch;
    watch.begin();
    const Losses before = watch.look(1);
    const Losses after = watch.look(1);
    CHECK(after.delay_seconds >= before.delay_seconds);
    CHECK(after.switches >= before.switches);
    CHECK(after.slowdown >= 1);
    CHECK(watch.look(2).processor_seconds > 0);
}
