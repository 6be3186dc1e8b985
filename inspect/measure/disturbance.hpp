#pragma once
// Runs that other programs disturbed, told from the others by what the system did to this process meanwhile. No
// privilege is needed for it.

#include "inspect/measure/experiment.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <vector>

namespace dcube::measure {

/// Looks at the threads of this process by /proc/self/task/*/schedstat, which says how long each waited for a
/// processor. Where the kernel has no such file, only by the number of times that one was taken off its processor.
/// A look is cheap as long as no thread has left its processor: the files are then not read.
class ThreadWatch : public Watch {
public:
    ThreadWatch();
    ~ThreadWatch() override;
    ThreadWatch(const ThreadWatch&) = delete;
    ThreadWatch& operator=(const ThreadWatch&) = delete;

    void begin() override;
    Losses look(unsigned threads) override;

private:
    void find_threads();
    double read_delays();
    double probe();

    std::map<int, int> files_{};  // of each thread its schedstat, kept open
    std::map<int, double> delays_{};
    int caller_;
    double ended_ = 0;  // delays of threads that have ended
    Losses last_{};
    bool unsettled_ = true;
    std::array<double, 3> quickest_probes_;  // the last of them is the best time: a clock may be wrong once
};

/// The part of a run's time that its threads may have waited for a processor. A wake-up is no disturbance: a thread
/// that has slept waits for as long as its processor needs to awake. It has that much for each.
inline constexpr double most_delay = 0.02;
inline constexpr double wake_up_seconds = 100e-6;
/// A processor on which counting takes this many times as long as at its best is shared with another
/// hardware thread, perhaps another guest's, or has been slowed down.
inline constexpr double most_slowdown = 1.5;
/// After a disturbance the caches are another program's: runs that begin within this time do not count either.
inline constexpr double cold_seconds = 1e-3;

/// Divides the runs of a slice into disturbed and undisturbed ones, by looks before and after. A look costs time of its
/// own, so one is taken only after a hundred times that: runs that are shorter share it, and its finding.
class Sieve {
public:
    /// Without a watch all runs count as undisturbed.
    Sieve(Watch* watch, const std::function<double()>& now, unsigned threads);

    /// After each run that is a sample.
    void add(double seconds);
    /// The round, without its order. No run may be added afterwards.
    Round finished();

    /// Looks if there are runs since the last look.
    std::size_t undisturbed();
    [[nodiscard]] std::size_t all() const
    {
        return round_.samples_seconds.size() + round_.disturbed_seconds.size() + pending_.size();
    }

private:
    void settle();
    void add_disturbed(const Losses& lost, double window, bool slow);

    Watch* watch_;
    const std::function<double()>& now_;
    unsigned threads_;
    Round round_{};
    std::vector<double> pending_{};  // runs since the last look
    Losses first_{};
    Losses before_{};
    double looked_at_ = 0;
    double cost_ = 0;  // of a look
    double cold_until_;
};

}  // namespace dcube::measure
