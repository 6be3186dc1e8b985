#include "inspect/measure/measured_limits.hpp"

#include "base/threads.hpp"

#include <array>
#include <atomic>
#include <numeric>

#ifdef __linux__
#include <sched.h>
#endif

namespace dcube::measure {

namespace {

constexpr std::uint64_t round_trips_a_turn = 32;

// The line's number is even when the first thread may write, odd when the second may.
void pass_to_and_fro(std::atomic<std::uint64_t>& line, unsigned thread, std::uint64_t turns)
{
    const std::uint64_t last = turns * round_trips_a_turn * 2;
    for (std::uint64_t number = thread; number < last; number += 2) {
        for (unsigned looks = 0; line.load(std::memory_order_acquire) != number; ++looks)
            wait_briefly(looks);
        line.store(number + 1, std::memory_order_release);
    }
}

double handover_seconds(unsigned a, unsigned b, const Effort& effort)
{
    struct alignas(128) Line {  // processors fetch neighbouring lines in pairs
        std::atomic<std::uint64_t> number = 0;
    } line;
    const std::array<unsigned, 2> pair{a, b};
    Team team(2, pair, effort.clock);
    const Seconds round_trips = measured(effort, [&](std::uint64_t turns) {
        line.number = 0;
        return team.run([&](unsigned thread) { pass_to_and_fro(line.number, thread, turns); });
    });
    return round_trips.median / round_trips_a_turn / 2;
}

}  // namespace

// Elsewhere no process is told which: all.
std::vector<unsigned> allowed_processors()
{
#ifdef __linux__
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<unsigned> all;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        for (unsigned number = 0; number < CPU_SETSIZE; ++number)
            if (CPU_ISSET(number, &set))
                all.push_back(number);
#else
    std::vector<unsigned> all(detail::hardware_threads());
    std::iota(all.begin(), all.end(), 0U);
#endif
    return all;
}

Handover handovers(std::span<const unsigned> processors, const Effort& effort)
{
    const std::size_t count = processors.size();
    Handover matrix{{processors.begin(), processors.end()}, {}};
    matrix.seconds.assign(count, std::vector<std::optional<double>>(count));
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a + 1; b < count; ++b)
            matrix.seconds[a][b] = matrix.seconds[b][a] = handover_seconds(processors[a], processors[b], effort);
    return matrix;
}

}  // namespace dcube::measure
