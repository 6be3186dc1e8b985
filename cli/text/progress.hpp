#pragma once
// A progress bar for people who wait at a terminal.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <stop_token>
#include <thread>

namespace dcube::cli {

/// Shown on standard error once half a second has passed, redrawn ten times a second, and erased at the end: that
/// something is planned, until there are steps to count. It draws from a thread of its own, so that it is seen while
/// nobody calls.
class Progress {
public:
    Progress();
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Whether somebody is there to see it: standard error is a terminal that can erase a line.
    static bool has_viewer();

    /// How many steps there will be.
    void expect(std::uint64_t steps) { expected_ = steps; }

    /// One step more is done.
    void step() { ++done_; }

private:
    using Clock = std::chrono::steady_clock;
    void draw_until(const std::stop_token& stop);
    void draw() const;

    std::atomic<std::uint64_t> expected_ = 0;
    std::atomic<std::uint64_t> done_ = 0;
    Clock::time_point began_ = Clock::now();
    std::jthread painter_;
};

}  // namespace dcube::cli
