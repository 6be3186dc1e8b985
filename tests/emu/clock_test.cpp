// The clock: every chunk exactly once per step, with as many workers as come.

#include "emu/clock.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/own_threads.hpp"
#include "tests/support/sizes.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
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

const Plan all_together = [](std::size_t) { return Clock::Next::together; };
const Plan all_alone = [](std::size_t) { return Clock::Next::alone; };
const Plan in_turns = [](std::size_t step) { return step / 3 % 2 == 0 ? Clock::Next::alone : Clock::Next::together; };

// The work that a chunk leaves in a step, different in every step and for every chunk; and the sum over all of them.
Summary left_by(std::size_t chunk, std::size_t step)
{
    return {.longest = chunk * 7 % 13 + step,
            .next = static_cast<dcube::Step>(step + 1000 - chunk % 7),
            .work_ns = Summary::limited(chunk + step),
            .sent = chunk == step % 5,
            .left = chunk % 11 == step % 11,
            .able = chunk == 2 * (step % 50),
            .has_events = chunk * chunk == step};
}

Summary left_by_all(std::size_t chunks, std::size_t step)
{
    Summary sum;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk)
        sum.add(left_by(chunk, step));
    return sum;
}

// Runs steps together, alone, or in turns; checks that each ran each chunk once, and was closed with the sum of their
// results. A chunk's worker writes to plain memory: the clock makes that visible in the next step and to the closer
// (the thread sanitizer looks).
struct Recorder {
    explicit Recorder(std::size_t chunks) : visits(chunks) {}

    void run(Clock& clock, std::size_t steps, const Plan& next)
    {
        std::size_t step = 0;
        bool sound = true;
        const Clock::Work work{[&](std::size_t chunk, std::uint64_t) {
                                   ++visits[chunk];
                                   return left_by(chunk, visits[chunk]);
                               },
                               [&](const Summary& sum) {
                                   ++step;
                                   for (const std::size_t visit : visits)
                                       sound = sound && visit == step;
                                   sound = sound && sum == left_by_all(visits.size(), step);
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
    for (const Plan& next : {all_together, all_alone, in_turns})
        recorder.run(clock, steps, next);
}

// Threads that ran a chunk in a run.
std::size_t threads_seen(Clock& clock, std::size_t steps, const Plan& next)
{
    std::mutex mutex;
    std::set<std::thread::id> seen;
    std::size_t step = 0;
    clock.run({[&](std::size_t, std::uint64_t) {
                   const std::scoped_lock lock(mutex);
                   seen.insert(std::this_thread::get_id());
                   return Summary();
               },
               [&](const Summary&) { return ++step == steps ? Clock::Next::stop : next(step); }},
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
            run_all_ways(clock, chunks < 100 ? steps : steps / 20);
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
        recorder.run(clock, 1 + static_cast<std::size_t>(run % 4), all_together);
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

TEST_CASE("hundreds of short runs with 1 to 32 threads end, and leave nothing for the next", "[emu][slow]")
{
    constexpr std::size_t runs = test_support::smaller(30U, 10U);
    for (unsigned threads = 1; threads <= 32; ++threads) {
        CAPTURE(threads);
        Clock clock(threads, 40, std::make_shared<OwnThreads>(threads, OwnThreads::When::worth_while));
        Recorder recorder(clock.chunks());
        for (std::size_t run = 0; run < runs; ++run)
            recorder.run(clock, 1 + run % 5, run % 3 == 0 ? in_turns : all_together);
    }
}

// The first chunk takes until the other worker sleeps, which has nothing to do meanwhile.
TEST_CASE("a worker that goes to sleep is counted", "[emu]")
{
    Clock clock(2, 2, std::make_shared<OwnThreads>(2U, OwnThreads::When::always));
    CHECK(clock.efforts().sleeps == 0);
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    clock.run({[&](std::size_t chunk, std::uint64_t) {
                   while (chunk == 0 && clock.efforts().sleeps == 0 && std::chrono::steady_clock::now() < end)
                       std::this_thread::sleep_for(std::chrono::milliseconds(1));
                   return Summary();
               },
               [](const Summary&) { return Clock::Next::stop; }},
              Clock::Next::together);
    CHECK(clock.efforts().sleeps != 0);
}

TEST_CASE("workers that come late or not at all are not waited for", "[emu]")
{
    constexpr std::size_t steps = test_support::smaller(200U, 50U);
    for (const unsigned come : {0U, 1U, 3U, 15U}) {
        CAPTURE(come);
        Clock clock(16, 50, std::make_shared<OwnThreads>(16, OwnThreads::When::worth_while, come));
        run_all_ways(clock, steps);
        CHECK(threads_seen(clock, steps, all_together) <= come + 1);
    }
}

TEST_CASE("no more threads run than the workers have, and one alone where that is said", "[emu]")
{
    Clock clock(32, 100, std::make_shared<OwnThreads>(5, OwnThreads::When::worth_while));
    CHECK(clock.threads() == 5);
    CHECK(threads_seen(clock, 200, all_together) <= 5);
    CHECK(threads_seen(clock, 200, all_alone) == 1);
}

// The first step's chunks wait for each other, so it ends only if all threads come to it.
TEST_CASE("workers that always come run also the steps that are not worth their while", "[emu]")
{
    constexpr unsigned threads = 6;
    Clock clock(threads, threads, std::make_shared<OwnThreads>(threads, OwnThreads::When::always));
    std::atomic<unsigned> here{0};
    clock.run({[&](std::size_t, std::uint64_t) {
                   ++here;
                   while (here.load() < threads)
                       std::this_thread::yield();
                   return Summary();
               },
               [](const Summary&) { return Clock::Next::stop; }},
              Clock::Next::alone);
    CHECK(here.load() == threads);
}

TEST_CASE("chunks are as many for each worker, up to four that fill a tile, and have 16 nodes at least", "[emu]")
{
    CHECK(chunk_count(1, 4) == 1);
    CHECK(chunk_count(16, 1) == 1);
    CHECK(chunk_count(31, 2) == 1);
    CHECK(chunk_count(32, 2) == 2);
    CHECK(chunk_count(127, 1) == 1);
    CHECK(chunk_count(128, 1) == 2);
    CHECK(chunk_count(255, 2) == 2);
    CHECK(chunk_count(256, 2) == 4);
    CHECK(chunk_count(1 << 20, 1) == 4);
    CHECK(chunk_count(1 << 20, 64) == 256);
    CHECK(chunk_count(1 << 20, 128) == 512);
    CHECK(chunk_count(1024, 64) == 64);
    CHECK(chunk_count(1024, 48) == 48);
    CHECK(chunk_count(1024, 100) == 64);
    for (std::size_t nodes = 1; nodes <= 2000; nodes += nodes < 300 ? 1 : 97)
        for (unsigned threads = 1; threads <= 70; ++threads) {
            const std::size_t chunks = chunk_count(nodes, threads);
            CAPTURE(nodes, threads, chunks);
            REQUIRE(chunks >= 1);
            REQUIRE((chunks == 1 || nodes / chunks >= 16));
            REQUIRE((chunks <= threads || nodes / chunks >= 64));
            REQUIRE((chunks < threads || chunks % threads == 0));
            REQUIRE(chunks <= 4 * threads);
        }
}

namespace {

// Counts how often threads were borrowed.
class CountedThreads final : public Workers {
public:
    explicit CountedThreads(unsigned threads) : threads_(threads, OwnThreads::When::worth_while) {}

    [[nodiscard]] unsigned most() const override { return threads_.most(); }
    void begin(unsigned count, const std::function<void()>& work) override
    {
        ++begun;
        threads_.begin(count, work);
    }
    void end() override
    {
        ++ended;
        threads_.end();
    }

    int begun = 0;
    int ended = 0;

private:
    OwnThreads threads_;
};

}  // namespace

TEST_CASE("threads that were lent stay while a loan lives, and go home with it", "[emu]")
{
    for (const unsigned threads : {2U, 3U, 16U}) {
        CAPTURE(threads);
        const auto workers = std::make_shared<CountedThreads>(threads);
        Clock clock(threads, 40, workers);
        Recorder recorder(clock.chunks());
        for (int loan = 1; loan <= 5; ++loan) {
            {
                const Clock::Loan kept(clock);
                for (std::size_t run = 0; run < 10; ++run)
                    recorder.run(clock, 1 + run % 5, run % 3 == 0 ? in_turns : run % 3 == 1 ? all_alone : all_together);
                CHECK(workers->begun == loan);
                CHECK(workers->ended == loan - 1);
            }
            CHECK(workers->ended == loan);
        }
        {
            const Clock::Loan kept(clock);
            recorder.run(clock, 20, all_alone);
        }
        CHECK(workers->begun == 5);
    }
}

TEST_CASE("steps that are run in the fastest way so far run every chunk once", "[emu]")
{
    constexpr std::size_t steps = test_support::smaller(3000U, 300U);
    for (const auto how : {Clock::Next::How::by_work, Clock::Next::How::by_guess})
        for (const std::uint64_t work_ns : {100U, 3000U, 20000U, 70000U}) {
            CAPTURE(work_ns);
            Clock clock(3, 40, std::make_shared<OwnThreads>(3, OwnThreads::When::worth_while));
            Recorder recorder(clock.chunks());
            recorder.run(clock, steps, [&](std::size_t) { return Clock::Next{how, work_ns}; });
        }
}

TEST_CASE("where no step was worth sharing there is one chunk in the next run, until one is", "[emu]")
{
    Clock clock(2, 4, std::make_shared<OwnThreads>(2, OwnThreads::When::worth_while));
    const auto chunks_after = [&](std::uint64_t work_ns) {
        Recorder(clock.chunks()).run(clock, 20, [&](std::size_t) {
            return Clock::Next{Clock::Next::How::by_work, work_ns};
        });
        clock.choose_cut();
        return clock.chunks();
    };
    CHECK(clock.chunks() == 4);
    CHECK(chunks_after(500) == 1);
    CHECK(chunks_after(3000) == 1);
    CHECK(chunks_after(30000) == 4);
    CHECK(chunks_after(30000) == 4);
    CHECK(chunks_after(500) == 1);
    clock.choose_cut();  // nothing was run since
    CHECK(clock.chunks() == 1);
    CHECK(clock.most_chunks() == 4);

    Clock always(2, 4, std::make_shared<OwnThreads>(2, OwnThreads::When::always));
    Recorder(4).run(always, 20, [](std::size_t) { return Clock::Next{Clock::Next::How::by_work, 500}; });
    always.choose_cut();
    CHECK(always.chunks() == 4);
}

// Worker 1 holds the first chunk that it meets until all others of the step were run, those of its own share too.
TEST_CASE("a worker that is preempted keeps nobody from the chunks that it has not begun", "[emu]")
{
    constexpr std::size_t chunks = 24;
    constexpr std::size_t steps = test_support::smaller(100U, 20U);
    for (const unsigned threads : {2U, 3U, 6U, 16U}) {
        CAPTURE(threads);
        Clock clock(threads, chunks, std::make_shared<OwnThreads>(threads, OwnThreads::When::always));
        const std::thread::id caller = std::this_thread::get_id();
        std::atomic<std::size_t> run{0};
        std::atomic<bool> held{false};
        std::size_t step = 0;
        bool complete = true;
        clock.run({[&](std::size_t, std::uint64_t) {
                       if (std::this_thread::get_id() != caller && !held.exchange(true))
                           while (run.load() != chunks - 1)
                               std::this_thread::yield();
                       ++run;
                       return Summary();
                   },
                   [&](const Summary&) {
                       complete = complete && run.exchange(0) == chunks;
                       held = false;
                       return ++step == steps ? Clock::Next::stop : Clock::Next::together;
                   }},
                  Clock::Next::together);
        CHECK(complete);
        CHECK(step == steps);
    }
}
