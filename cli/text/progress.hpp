#pragma once
// A progress bar for people who wait at a terminal.

#ifdef __STDCPP_THREADS__

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace dcube::cli {

/// A line on standard error, shown after half a second, redrawn ten times per second and erased at the end: the stage
/// of planning and its progress, then the steps. It draws from a thread of its own, so that the line is kept up to date
/// between calls.
class Progress {
public:
    Progress();
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Whether it can be seen: standard error is a terminal that can erase a line.
    static bool has_viewer();

    /// How much of something is planned, 0 to 1 of it.
    void plan(std::string_view what, double done);

    /// A run begins anew, with its plans.
    void restart();

    /// Run `number` of `all` begins: "4 of 12, optimal, about 3.1 s left", judging by the earlier ones.
    void begin_task(std::size_t number, std::size_t all, std::string_view what);

    /// Called before anything else is written to standard error. The line soon appears again.
    static void erase();

    /// How many steps there will be.
    void expect(std::uint64_t steps) { expected_ = steps; }

    /// Counts one more step.
    void step() { ++done_; }

private:
    using Clock = std::chrono::steady_clock;
    void draw_until_over();
    void draw();
    [[nodiscard]] std::string planning_text();
    [[nodiscard]] std::string task_text();

    std::atomic<std::uint64_t> expected_ = 0;
    std::atomic<std::uint64_t> done_ = 0;
    std::mutex mutex_{};
    Clock::time_point began_ = Clock::now();  // and what is planned: guarded by the mutex
    Clock::time_point first_task_began_{};
    std::string task_{};
    std::string planned_{};
    double planned_part_ = 0;
    bool over_ = false;  // guarded by the mutex
    std::condition_variable ends_{};
    std::thread painter_;
};

}  // namespace dcube::cli

#else

#include "cli/text/alone/progress.hpp"

#endif
