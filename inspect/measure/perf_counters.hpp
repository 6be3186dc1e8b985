#pragma once
// The processors' own counters, of all threads of this process, where the system allows that (perf_event_open).

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dcube::measure {

/// Counts of user code; the kernel's work is left out. Where the system counted only part of the time, because others
/// wanted the counters too, they are scaled up to all of it.
struct CounterSums {
    double cycles = 0;
    double instructions = 0;
    double cache_misses = 0;  ///< of the last level
};

/// Threads that exist when this is made are counted, and all that they start later. start() and stop() ask the kernel
/// about each of them, which takes some microseconds: they belong around many runs, not around each.
class PerfCounters {
public:
    /// An event by the kernel's numbers: perf_event_attr's type and config.
    struct Event {
        std::uint32_t type = 0;
        std::uint64_t config = 0;
    };
    static constexpr std::size_t kinds = 3;  ///< in the order of CounterSums
    using Events = std::array<Event, kinds>;
    static const Events hardware;

    /// Other events than the processor's are for tests: any that a virtual machine has.
    explicit PerfCounters(const Events& events = hardware);
    ~PerfCounters();
    PerfCounters(const PerfCounters&) = delete;
    PerfCounters& operator=(const PerfCounters&) = delete;

    /// Why nothing is counted, in a few words; empty where it is.
    [[nodiscard]] const std::string& obstacle() const { return obstacle_; }

    void start();
    void stop();

    /// All that was counted between start() and stop() so far; empty where nothing is counted, or where some event
    /// never got a counter.
    [[nodiscard]] std::optional<CounterSums> sums() const;

private:
    using OfThread = std::array<int, kinds>;  // file descriptors

    std::string add_thread(int thread, const Events& events);
    void control(unsigned long request);
    void close_all();

    std::vector<OfThread> threads_;
    std::string obstacle_;
};

}  // namespace dcube::measure
