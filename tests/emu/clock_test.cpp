// The clock: every chunk exactly once a step, with as many workers as come.

#include "emu/clock.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sizes.hpp"

#include <vector>

using namespace dcube::detail;

namespace {

// Steps run together, alone, or in turns; checks that each ran each chunk once.
struct Recorder {
    explicit Recorder(std::size_t chunks) : visits(chunks) {}

    void run(Clock& clock, std::size_t steps, const std::function<Clock::Next(std::size_t)>& next)
    {
        std::size_t step = 0;
        bool sound = true;
        const Clock::Work work{[&](std::size_t chunk) { ++visits[chunk]; },
                               [&] {
                                   ++step;
                                   for (const int visit : visits)
                                       sound = sound && visit == static_cast<int>(step);
                                   return step == steps ? Clock::Next::stop : next(step);
                               }};
        std::fill(visits.begin(), visits.end(), 0);
        clock.run(work, next(0));
        CHECK(step == steps);
        CHECK(sound);
    }

    std::vector<int> visits;
};

}  // namespace

TEST_CASE("every step runs every chunk once, whatever the number of workers", "[emu]")
{
    constexpr std::size_t steps = test_support::smaller(5000U, 500U);
    for (const unsigned threads : {1U, 2U, 3U, 4U}) {
        for (const std::size_t chunks : {1U, 3U, 16U, 1000U}) {
            CAPTURE(threads, chunks);
            Clock clock(threads, chunks);
            Recorder recorder(clock.chunks());
            recorder.run(clock, steps, [](std::size_t) { return Clock::Next::together; });
            recorder.run(clock, steps, [](std::size_t) { return Clock::Next::alone; });
            recorder.run(clock, steps, [](std::size_t step) {
                return step / 3 % 2 == 0 ? Clock::Next::alone : Clock::Next::together;
            });
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
        recorder.run(clock, 1 + static_cast<std::size_t>(run % 4), [](std::size_t) { return Clock::Next::together; });
}
