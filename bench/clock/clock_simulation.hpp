#pragma once
// Simulation of the clock: discrete events of a step's end and the next one's beginning, with any number of workers. It
// shows what bounds the clock with more cores than this machine has.

#include <cstddef>
#include <cstdint>

namespace dcube::bench {

/// What the parts of a step's end cost.
struct ClockCosts {
    double handover_ns = 0;  ///< until a core has a cache line that another has: `dcube limits`, the matrix
    double atomic_ns = 0;    ///< an atomic operation on a line that the core has
    double close_ns = 0;     ///< what the worker that closes a step does besides adding up
    double overlap = 1;      ///< lines that are fetched at once where a core knows beforehand which it wants, >= 1
};

/// What is run.
struct ClockLoad {
    unsigned workers = 1;      ///< 1 to 1024, each on a core of its own
    std::size_t chunks = 1;    ///< at least as many as workers
    double step_work_ns = 0;   ///< of all chunks' bodies together
    double spread = 0;         ///< a body takes its mean, more or less by up to this share: 0 to 1
    unsigned steps = 1;        ///< at least 1
    std::uint64_t seed = 1;    ///< of the bodies' times
    unsigned late_worker = 0;  ///< this worker comes to every step late (0, who opens the first, never does)
    double late_ns = 0;        ///< by so much
};

/// flat: a claim for every chunk, one counter of chunks that all workers decrement, one line that all wait for, and the
/// closer adds up all chunks; workers look at every chunk before they wait. tree: as emu/clock.hpp describes it.
/// tree_one_signal: the same, but all wait for one line.
enum class ClockDesign : std::uint8_t { flat, tree_one_signal, tree };
const char* name(ClockDesign design);

/// Means over the steps. ns of simulated time.
struct ClockTimes {
    double step_ns = 0;
    double efficiency = 0;  ///< the bodies' time over that of all workers
    /// From the end of a step's last body until the last of the workers that saw the next step open has seen it.
    double barrier_ns = 0;
    double helped = 0;  ///< share of chunks that were not run by the worker whose share they are in
};

/// A line goes to one core after the other: each waits for those that asked before. A core must have a line alone to
/// write it; to read it, it may share it with others, but gets it in its turn. Throws InvalidArgument if a number is
/// outside the bounds given above.
ClockTimes simulate(ClockDesign design, const ClockCosts& costs, const ClockLoad& load);

}  // namespace dcube::bench
