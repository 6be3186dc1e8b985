// The simulation of the clock, where its times can be told without it.

#include "bench/clock/clock_simulation.hpp"
#include "tests/support/catch.hpp"

#include <dcube/error.hpp>

using namespace dcube::bench;

namespace {

constexpr ClockDesign clock_designs[] = {ClockDesign::flat, ClockDesign::tree_one_signal, ClockDesign::tree};

Approx near_ns(double value)
{
    return Approx(value).epsilon(1e-9).margin(1e-6);
}

}  // namespace

TEST_CASE("clock simulation: one worker needs its work and its own operations, and no line", "[bench]")
{
    const ClockCosts costs{.handover_ns = 500, .atomic_ns = 5, .close_ns = 30};
    const ClockLoad load{.workers = 1, .chunks = 16, .step_work_ns = 1000, .steps = 7};
    // 16 chunks are begun; 16 chunks and 4 groups are finished; one signal is raised.
    CHECK(simulate(ClockDesign::tree, costs, load).step_ns == near_ns(1000 + 30 + 5 * (16 + 20 + 1)));
    CHECK(simulate(ClockDesign::tree, costs, load).barrier_ns == near_ns(5 * 3 + 30));
    // 16 chunks are claimed, tallied and counted; one signal.
    CHECK(simulate(ClockDesign::flat, costs, load).step_ns == near_ns(1000 + 30 + 5 * (3 * 16 + 1)));
}

TEST_CASE("clock simulation: where nothing costs anything, workers share the work and nothing else", "[bench]")
{
    for (const ClockDesign design : clock_designs)
        for (const unsigned workers : {1U, 2U, 3U, 8U, 16U, 64U}) {
            CAPTURE(name(design), workers);
            const ClockTimes times =
                simulate(design, {}, {.workers = workers, .chunks = 4 * workers, .step_work_ns = 1e6, .steps = 5});
            CHECK(times.step_ns == near_ns(1e6 / workers));
            CHECK(times.efficiency == near_ns(1));
            CHECK(times.barrier_ns == near_ns(0));
            CHECK(times.helped == near_ns(0));
        }
}

TEST_CASE("clock simulation: closing a step is what no worker takes from another", "[bench]")
{
    for (const ClockDesign design : clock_designs)
        for (const unsigned workers : {2U, 16U}) {
            const ClockTimes times = simulate(
                design, {.close_ns = 700}, {.workers = workers, .chunks = workers, .step_work_ns = 8000, .steps = 3});
            CHECK(times.step_ns == near_ns(8000.0 / workers + 700));
            CHECK(times.barrier_ns == near_ns(700));
            CHECK(times.efficiency == near_ns(8000 / (8000 + 700.0 * workers)));
        }
}

TEST_CASE("clock simulation: times are in proportion to what everything costs", "[bench]")
{
    for (const ClockDesign design : clock_designs) {
        ClockLoad load{.workers = 16, .chunks = 64, .step_work_ns = 50000, .spread = 0.3, .steps = 20};
        const ClockTimes once = simulate(design, {.handover_ns = 64, .atomic_ns = 4, .close_ns = 32}, load);
        load.step_work_ns *= 2;
        const ClockTimes twice = simulate(design, {.handover_ns = 128, .atomic_ns = 8, .close_ns = 64}, load);
        CHECK(twice.step_ns == near_ns(2 * once.step_ns));
        CHECK(twice.barrier_ns == near_ns(2 * once.barrier_ns));
        CHECK(twice.efficiency == near_ns(once.efficiency));
        CHECK(twice.helped == near_ns(once.helped));
    }
}

// Two workers with a chunk each, of the same length; nothing but lines that are handed over costs anything.
TEST_CASE("clock simulation: two workers need three handovers from one step to the next", "[bench]")
{
    const ClockTimes times =
        simulate(ClockDesign::tree, {.handover_ns = 50}, {.workers = 2, .chunks = 2, .step_work_ns = 2e5, .steps = 40});
    CHECK(times.barrier_ns >= 2 * 50);  // the group's line to the last, the signal's back
    CHECK(times.barrier_ns <= 4 * 50);  // both lines to both
    CHECK(times.step_ns <= 1e5 + 8 * 50);
}

TEST_CASE("clock simulation: a worker that is late keeps nobody waiting: the others run its chunks", "[bench]")
{
    const ClockLoad load{
        .workers = 4, .chunks = 16, .step_work_ns = 16000, .steps = 10, .late_worker = 2, .late_ns = 1e6};
    for (const ClockDesign design : clock_designs) {
        const ClockTimes times = simulate(design, {}, load);
        CHECK(times.step_ns == near_ns(6000));  // 16 chunks of 1000 ns on three workers
        CHECK(times.helped == near_ns(0.25));
    }
}

TEST_CASE("clock simulation: with many workers the tree is worth it, and so are several signals", "[bench]")
{
    const ClockCosts costs{.handover_ns = 60, .atomic_ns = 5, .close_ns = 30, .overlap = 4};
    for (const unsigned workers : {16U, 32U, 64U}) {
        const ClockLoad load{
            .workers = workers, .chunks = 4 * workers, .step_work_ns = 1e6, .spread = 0.05, .steps = 8};
        const ClockTimes flat = simulate(ClockDesign::flat, costs, load);
        const ClockTimes one_signal = simulate(ClockDesign::tree_one_signal, costs, load);
        const ClockTimes tree = simulate(ClockDesign::tree, costs, load);
        CHECK(tree.barrier_ns < one_signal.barrier_ns);
        CHECK(one_signal.barrier_ns < flat.barrier_ns);
        CHECK(tree.efficiency > flat.efficiency);
        if (workers == 16)
            CHECK(tree.barrier_ns < 1000);
    }
}

TEST_CASE("clock simulation: the same seed gives the same, another one something else", "[bench]")
{
    const ClockCosts costs{.handover_ns = 60, .atomic_ns = 5};
    ClockLoad load{.workers = 8, .chunks = 32, .step_work_ns = 1e5, .spread = 0.5, .steps = 10};
    const double first = simulate(ClockDesign::tree, costs, load).step_ns;
    CHECK(simulate(ClockDesign::tree, costs, load).step_ns == first);
    load.seed = 2;
    CHECK(simulate(ClockDesign::tree, costs, load).step_ns != first);
}

TEST_CASE("clock simulation: what cannot be is refused", "[bench][negative]")
{
    const auto refused = [](const ClockCosts& costs, const ClockLoad& load) {
        CHECK_THROWS_AS(simulate(ClockDesign::tree, costs, load), dcube::InvalidArgument);
    };
    refused({}, {.workers = 0});
    refused({}, {.workers = 1025, .chunks = 2000});
    refused({}, {.workers = 4, .chunks = 3});
    refused({}, {.steps = 0});
    refused({}, {.spread = 1.5});
    refused({}, {.step_work_ns = -1});
    refused({.handover_ns = -1}, {});
    refused({.overlap = 0}, {});
}
