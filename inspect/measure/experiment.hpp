#pragma once
// The same care for all that is measured: warmed up and checked first, then interleaved in rounds. A cell's samples are
// so spread over the whole time of the experiment, and what else happens meanwhile meets all cells alike.

#include "inspect/measure/perf_counters.hpp"
#include "inspect/measure/statistics.hpp"
#include "inspect/measure/subject.hpp"

#include <dcube/error.hpp>
#include <dcube/stop.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace dcube::measure {

/// The extent of the measurements. Every cell gets a slice of time in each round, min_seconds / rounds or longer.
struct BenchEffort {
    double min_seconds = 0.4;  ///< for a cell's slices altogether, at least
    double max_seconds = 3;    ///< at most; a cell whose runs are so long that it is exceeded has fewer rounds
    std::size_t min_samples = 8;
    std::size_t max_samples_a_round = 1000;  ///< if there are more runs, every second, third, .. one is a sample
    unsigned rounds = 9;        ///< with 9, neither the least nor the largest median decides the 95 % interval
    unsigned warm_up_runs = 1;  ///< the first run of all is checked, which is a sample if none is before
    std::uint64_t order_seed = 1;
    bool check = true;
    std::uint64_t keep_bytes = 0;  ///< the memory that cells may hold together while they are interleaved
};

/// The rounds that a cell has however long its runs are, unless one alone takes longer than BenchEffort::max_seconds:
/// fewer have no interval, and cannot be compared.
inline constexpr unsigned fewest_rounds = 6;

/// A cell that is to be measured.
struct Candidate {
    std::uint64_t memory_bytes = 0;  ///< bytes that its subject will hold
    std::function<std::unique_ptr<Subject>()> prepare;
};

/// The result of a cell's slice of one round. A run is disturbed if the threads that worked for it waited for a
/// processor for more than 2 % of its time, or where the system does not say how long they waited, if one of them was
/// taken off its processor.
struct Round {
    std::size_t order = 0;                      ///< slices of all cells that were measured before it
    std::vector<double> samples_seconds{};      ///< those of undisturbed runs; all where nothing is known
    unsigned process = 0;                       ///< which of several that measured the same cells
    std::vector<double> disturbed_seconds{};    ///< those of disturbed runs
    std::vector<Interval> disturbed_bounds{};   ///< their undisturbed times; none where this is not known
    std::optional<double> run_delay_seconds{};  ///< time that all threads waited for a processor
    std::optional<std::uint64_t> switches{};    ///< times that a thread was taken off its processor
};

/// The state of the machine at a moment.
struct Moment {
    std::size_t order = 0;                     ///< slices of all cells that were measured before it
    unsigned process = 0;                      ///< as in Round
    std::optional<double> handover_seconds{};  ///< a line written in turn by two threads
    std::optional<double> frequency_hz{};      ///< of the first processor
};

/// What the system did to this process' threads, each counted from any moment.
struct Losses {
    double delay_seconds = 0;      ///< time for which threads that work waited for a processor
    double all_delay_seconds = 0;  ///< the same of all threads of the process
    std::uint64_t switches = 0;    ///< times that a thread was taken off its processor
    std::uint64_t sleeps = 0;      ///< times that a thread left it by itself
    double processor_seconds = 0;  ///< time that the threads had a processor; not counted for one thread
    double slowdown = 1;           ///< time of the caller's processor for a little work, over its best
    bool delays_known = false;
};

/// Watches this process' threads.
class Watch {
public:
    Watch() = default;
    virtual ~Watch() = default;
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    /// Before a slice: threads may have begun or ended.
    virtual void begin() = 0;
    /// On the thread that runs the cells, of which this one works with so many threads.
    virtual Losses look(unsigned threads) = 0;
};

/// What was counted in all slices of a cell together, beside their times.
struct CellCounts {
    EngineCounts engine{};  ///< of all samples, disturbed ones included
    std::uint64_t samples = 0;
    CounterSums hardware{};              ///< of the runs of all slices, as many as are samples
    std::uint64_t hardware_samples = 0;  ///< 0 where the processors' counters were not read
};

struct Outcome {
    Facts facts;
    std::vector<Round> rounds;
    CellCounts counts{};
    bool interleaved = true;                    ///< false: too large to be kept beside others, and measured in one go
    bool interrupted = false;                   ///< a stop came before its last round
    std::optional<InvalidArgument> obstacle{};  ///< why it could not be measured
};

/// The progress of an experiment.
struct Stage {
    std::size_t prepared = 0;
    std::size_t cells = 0;
    std::optional<double> seconds_left;  ///< time left for measuring; empty until all are prepared
};

/// The surroundings of an experiment.
struct Surroundings {
    std::function<double()> now;  ///< seconds since any moment
    StopToken stop{};
    std::function<void(const Stage&)> tell = [](const Stage&) {};  ///< called between slices
    Watch* watch = nullptr;            ///< tells disturbed runs; without one, all are undisturbed
    PerfCounters* counters = nullptr;  ///< read around each slice; null: nobody does
    /// Looks at the machine before each round and after the last; empty: no one does.
    std::function<Moment()> look{};
};

/// Measures all candidates. Those that do not fit into keep_bytes together with all smaller ones come first, each by
/// itself from preparation to last round. All others are prepared, and then measured in rounds: in each every cell, in
/// an order drawn anew from the seed, gets its slice of time.
/// A candidate whose preparation throws InvalidArgument or std::bad_alloc has an obstacle. When a stop is requested,
/// the results of finished rounds are returned; candidates that have none have an obstacle. Throws Interrupted if there
/// is no such round, VerificationError, and any exception of the subjects.
/// A slice is longer than its time, within max_seconds, until it has its share of min_samples, and up to three times as
/// long for as many undisturbed ones.
std::vector<Outcome> experiment(std::span<const Candidate> candidates, const BenchEffort& effort,
                                const Surroundings& surroundings, std::vector<Moment>* moments = nullptr);

}  // namespace dcube::measure
