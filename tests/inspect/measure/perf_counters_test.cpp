// Counters of all threads of the process. Most virtual machines have none of the processor's, so that threads are tried
// with the kernel's own clock of a task.

#include "base/threads.hpp"
#include "inspect/measure/perf_counters.hpp"
#include "tests/support/catch.hpp"

#include <atomic>
#include <ctime>
#include <future>
#include <string>
#include <thread>

using namespace dcube::measure;

namespace {

constexpr double ns_per_s = 1e9;

double own_cpu_seconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / ns_per_s;
}

// Works for that much of its thread's time, and returns how much it was.
double work_for(double seconds)
{
    const double began = own_cpu_seconds();
    while (own_cpu_seconds() - began < seconds) {
    }
    return own_cpu_seconds() - began;
}

// Task clock, task clock, and page faults (perf_event.h).
constexpr PerfCounters::Events of_kernel{{{1, 1}, {1, 1}, {1, 2}}};

}  // namespace

TEST_CASE("perf counters: the processor's, or why there are none", "[measure]")
{
    PerfCounters counters;
    counters.start();
    work_for(0.01);
    counters.stop();
    const std::optional<CounterSums> sums = counters.sums();
    if (!counters.obstacle().empty()) {
        CHECK_FALSE(sums);
        WARN("not tried with the processor's counters: " + counters.obstacle());
        return;
    }
    REQUIRE(sums);
    CHECK(sums->cycles > 1e5);
    CHECK(sums->instructions > 1e5);
    CHECK(sums->cache_misses >= 0);
}

TEST_CASE("perf counters: threads that were there, and those that are started later", "[measure]")
{
    std::promise<void> begin;
    std::promise<double> early_seconds;
    dcube::detail::JoiningThread early([&] {
        begin.get_future().wait();
        early_seconds.set_value(work_for(0.02));
    });
    PerfCounters counters(of_kernel);
    if (!counters.obstacle().empty()) {
        begin.set_value();
        WARN("not tried: " + counters.obstacle());
        return;
    }
    work_for(0.02);  // not counted
    REQUIRE(counters.sums());
    CHECK(counters.sums()->cycles == 0);

    counters.start();
    begin.set_value();
    double worked = work_for(0.02) + early_seconds.get_future().get();
    std::atomic<double> late_seconds = 0;
    std::thread([&] { late_seconds = work_for(0.02); }).join();
    worked += late_seconds;
    counters.stop();
    const double counted = counters.sums()->cycles;
    CHECK(counted > 0.7 * worked * ns_per_s);
    CHECK(counters.sums()->instructions > 0.7 * worked * ns_per_s);

    work_for(0.02);
    CHECK(counters.sums()->cycles == counted);
}

TEST_CASE("perf counters: an event that no machine has", "[measure]")
{
    PerfCounters counters({{{1, 1}, {1, 12345}, {1, 2}}});
    CHECK_FALSE(counters.obstacle().empty());
    CHECK_FALSE(counters.sums());
    counters.start();
    counters.stop();
    CHECK_FALSE(counters.sums());
}
