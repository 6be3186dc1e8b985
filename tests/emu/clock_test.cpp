// The clock: every chunk exactly once a step, with as many workers as come.

#include "emu/clock.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/own_threads.hpp"
#include "tests/support/sizes.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

using namespace dcube::detail;
using test_support::OwnThreads;

namespace {

using Plan = std::function<Clock::Next(std::size_t step)>;

const Plan together = [](std::size_t) { return Clock::Next::together; };
const Plan alone = [](std::size_t) { return Clock::Next::alone; };
const Plan in_turns = [](std::size_t step) { return step / 3 % 2 == 0 ? Clock::Next::alone : Clock::Next::together; };

// Runs steps together, alone, or in turns; checks that each ran each chunk once. What a chunk's worker writes is no
// atomic: that it is seen in the next step and by the closer is the clock's doing (the thread sanitizer looks).
struct Recorder {
    explicit Recorder(std::size_t chunks) : visits(chunks) {}

    void run(Clock& clock, std::size_t steps, const Plan& next)
    {
        std::size_t step = 0;
        bool sound = true;
        const Clock::Work work{[&](std::size_t chunk) { ++visits[chunk]; },
                               [&] {
                                   ++step;
                                   for (const std::size_t visit : visits)
                                       sound = sound && visit == step;
                                   return step == steps ? Clock::Next::stop : next(step);
                               }};
        std::fill(visits.begin(), visits.end(), 0);
        clock.run(work, next(0));
        CHECK(step == steps);
        CHECK(sound);
    }

    std::vector<std::size_t> visits;
};

void run_all_ways(Clock& clock, std::size_t steps)
{
    Recorder recorder(clock.chunks());
    for (const Plan& next : {together, alone, in_turns})
        recorder.run(clock, steps, next);
}

// Threads that ran a chunk in a run.
std::size_t threads_seen(Clock& clock, std::size_t steps, const Plan& next)
{
    std::mutex mutex;
    std::set<std::thread::id> seen;
    std::size_t step = 0;
    clock.run({[&](std::size_t) {
                   const std::scoped_lock lock(mutex);
                   seen.insert(std::this_thread::get_id());
               },
               [&] { return ++step == steps ? Clock::Next::stop : next(step); }},
              next(0));
    return seen.size();
}

}  // namespace

TEST_CASE("every step runs every chunk once, whatever the number of workers", "[emu]")
{
    constexpr std::size_t steps = test_support::smaller(5000U, 500U);
    for (const unsigned threads : {1U, 2U, 3U, 4U}) {
        for (const std::size_t chunks : {1U, 3U, 16U, 1000U}) {
            CAPTURE(threads, chunks);
            Clock clock(threads, chunks);
            run_all_ways(clock, steps);
        }
    }
}

// Threads that are lent may close their first step before the caller has lent them all.
TEST_CASE("thousands of short runs lend and return their threads", "[emu]")
{
    constexpr int runs = test_support::smaller(5000, 500);
    Clock clock(4, 64);
    Recorder recorder(clock.chunks());
    for (int run = 0; run < runs; ++run)
        recorder.run(clock, 1 + static_cast<std::size_t>(run % 4), together);
}

TEST_CASE("up to 32 threads on few cores run every chunk once a step", "[emu]")
{
    constexpr std::size_t steps = test_support::smaller(120U, 40U);
    for (const unsigned threads : {1U, 2U, 3U, 5U, 8U, 16U, 31U, 32U}) {
        for (const std::size_t chunks : {1U, 7U, 32U, 100U}) {
            CAPTURE(threads, chunks);
            Clock clock(threads, chunks, std::make_shared<OwnThreads>(threads, OwnThreads::When::worth_while));
            CHECK(clock.threads() == std::min<std::size_t>(threads, chunks));
            run_all_ways(clock, steps);
        }
    }
}

TEST_CASE("hundreds of short runs with 1 to 32 threads end, and leave nothing for the next", "[emu]")
{
    constexpr std::size_t runs = test_support::smaller(30U, 10U);
    for (unsigned threads = 1; threads <= 32; ++threads) {
        CAPTURE(threads);
        Clock clock(threads, 40, std::make_shared<OwnThreads>(threads, OwnThreads::When::worth_while));
        Recorder recorder(clock.chunks());
        for (std::size_t run = 0; run < runs; ++run)
            recorder.run(clock, 1 + run % 5, run % 3 == 0 ? in_turns : together);
    }
}

TEST_CASE("workers that come late or not at all are not waited for", "[emu]")
{
    constexpr std::size_t steps = test_support::smaller(200U, 50U);
    for (const unsigned come : {0U, 1U, 3U, 15U}) {
        CAPTURE(come);
        Clock clock(16, 50, std::make_shared<OwnThreads>(16, OwnThreads::When::worth_while, come));
        run_all_ways(clock, steps);
        CHECK(threads_seen(clock, steps, together) <= come + 1);
    }
}

TEST_CASE("no more threads run than the workers have, and one alone where that is said", "[emu]")
{
    Clock clock(32, 100, std::make_shared<OwnThreads>(5, OwnThreads::When::worth_while));
    CHECK(clock.threads() == 5);
    CHECK(threads_seen(clock, 200, together) <= 5);
    CHECK(threads_seen(clock, 200, alone) == 1);
}

// The first step's chunks wait for each other, so it ends only if all threads come to it.
TEST_CASE("workers that always come run also the steps that are not worth their while", "[emu]")
{
    constexpr unsigned threads = 6;
    Clock clock(threads, threads, std::make_shared<OwnThreads>(threads, OwnThreads::When::always));
    std::atomic<unsigned> here{0};
    clock.run({[&](std::size_t) {
                   ++here;
                   while (here.load() < threads)
                       std::this_thread::yield();
               },
               [] { return Clock::Next::stop; }},
              Clock::Next::alone);
    CHECK(here.load() == threads);
}
