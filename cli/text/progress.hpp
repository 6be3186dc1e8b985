#pragma once
// A progress bar for people who wait at a terminal.

#include <chrono>
#include <cstdint>

namespace dcube::cli {

/// Shown on standard error once half a second has passed, redrawn ten times a second at most, and erased at the end.
class Progress {
public:
    explicit Progress(std::uint64_t expected_steps) : expected_(expected_steps) {}
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Whether somebody is there to see it: standard error is a terminal that can erase a line.
    static bool has_viewer();

    /// One step more is done. Not thread-safe.
    void step();

private:
    using Clock = std::chrono::steady_clock;
    void draw() const;

    std::uint64_t expected_;
    std::uint64_t done_ = 0;
    Clock::time_point next_ = Clock::now() + std::chrono::milliseconds(500);
    enum class Screen : std::uint8_t { clean, drawn } screen_ = Screen::clean;
};

}  // namespace dcube::cli
