#include "inspect/measure/moment.hpp"

#include "inspect/measure/host_files.hpp"
#include "inspect/measure/measured_limits.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

namespace dcube::measure {

namespace {

struct alignas(128) SharedLine {  // processors fetch neighbouring lines in pairs
    std::atomic<std::uint64_t> number = 0;
};

constexpr std::uint64_t the_end = std::numeric_limits<std::uint64_t>::max();

// Waits until the other thread has written that number. False if it has ended.
bool handed_over(const SharedLine& line, std::uint64_t number)
{
    for (unsigned looks = 0;; ++looks) {
        const std::uint64_t now = line.number.load(std::memory_order_acquire);
        if (now == number || now == the_end)
            return now == number;
        wait_briefly(looks);
    }
}

// Writes even numbers, in batches, for a millisecond. The quickest batch's seconds for a handover.
double lead(SharedLine& line)
{
    constexpr double at_least = 1e-3;
    constexpr std::uint64_t round_trips = 32;
    double quickest = std::numeric_limits<double>::max();
    std::uint64_t number = 0;
    const double began = steady_seconds();
    for (double now = began; now - began < at_least;) {
        for (std::uint64_t i = 0; i < round_trips; ++i, number += 2) {
            line.number.store(number + 1, std::memory_order_release);
            handed_over(line, number + 2);
        }
        const double ended = steady_seconds();
        quickest = std::min(quickest, (ended - now) / round_trips / 2);
        now = ended;
    }
    line.number.store(the_end, std::memory_order_release);
    return quickest;
}

void answer(SharedLine& line)
{
    for (std::uint64_t number = 1; handed_over(line, number); number += 2)
        line.number.store(number + 1, std::memory_order_release);
}

}  // namespace

MomentWatch::MomentWatch()
{
    const std::vector<unsigned> allowed = allowed_processors();
    if (allowed.size() > 1)
        team_ = std::make_unique<Team>(2, std::array{allowed.front(), allowed.back()});
}

Moment MomentWatch::operator()()
{
    constexpr double hz_a_khz = 1000;
    Moment moment;
    if (team_) {
        SharedLine line;
        double seconds = 0;
        team_->run([&](unsigned thread) {
            if (thread == 0)
                seconds = lead(line);
            else
                answer(line);
        });
        moment.handover_seconds = seconds;
    }
    if (const auto khz = number_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq"))
        moment.frequency_hz = static_cast<double>(*khz) * hz_a_khz;
    return moment;
}

}  // namespace dcube::measure
