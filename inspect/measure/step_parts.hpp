#pragma once
// A step taken apart: what the time of several threads goes to, from a run's counts and the machine's limits.

#include "inspect/measure/limits.hpp"

#include <dcube/machine.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace dcube::measure {

/// A cell that was run with several threads, and the time of the same work with one.
struct StepDemand {
    unsigned threads = 1;  ///< threads that really work
    std::uint64_t steps = 0;
    double seconds = 0;  ///< of a run
    double one_thread_seconds = 0;
    std::uint64_t packet_bytes = 0;       ///< on average, where they differ
    std::optional<unsigned> dimension{};  ///< of a hypercube
    EngineCounts counts{};                ///< of these runs together: they differ from run to run
    std::uint64_t runs = 1;
};

/// Adds the counts of one more run.
void add(EngineCounts& sum, const EngineCounts& run);

/// What a step of several threads costs beside its work, as dcube limits measured it.
struct StepCosts {
    double barrier_seconds = 0;
    double line_seconds = 0;         ///< a line that another core has written, read after the line before
    double line_in_row_seconds = 0;  ///< the same, side by side with others
};

/// A mean over all pairs of processors, because threads may be on any. Empty where these were not measured, as in
/// documents of older versions.
std::optional<StepCosts> step_costs(const Limits& limits, unsigned threads);

/// How lines from other cores were read: rows of links are read side by side, but what holds that up is not known
/// beforehand.
enum class Crossing : std::uint8_t { side_by_side, one_by_one };

/// All times are of one step, on average. work + crossing + barrier + rest = step: the rest is what the three others
/// leave, below 0 where they are more than was measured.
struct StepParts {
    double step_seconds = 0;
    double work_seconds = 0;  ///< one thread's time, divided by the threads in steps that all ran
    double crossing_seconds = 0;
    double barrier_seconds = 0;
    double rest_seconds = 0;
    double crossing_lines = 0;  ///< that each thread reads in a step that all run
    Crossing crossing = Crossing::side_by_side;
    double together = 1;    ///< the share of steps that all ran
    EngineCounts counts{};  ///< of a run, on average
    std::string sentence;
};

/// Lines are taken to come side by side, unless that leaves more than a quarter of the step without a cause (threads
/// that were absent or slept are one), and most of it is what they take one by one. Empty for one thread, and where a
/// time is not known.
std::optional<StepParts> step_parts(const StepDemand& demand, const StepCosts& costs);
std::optional<StepParts> step_parts(const StepDemand& demand, const Limits& limits);

/// The least speed-up that leaves nothing to advise: the threads add half of what they could.
double good_speed_up(unsigned threads);

/// "2 threads lose: they take 1.4 times as long as one: of 14 us a step 5 are work, 1 the barrier, 8 wait for 80 lines
/// from the other core, one by one; try --threads 1". Advice is given only where it follows from these numbers: one
/// thread where that was faster, and the size at which what does not grow with it weighs little enough for half of what
/// the threads can add.
std::string step_sentence(const StepDemand& demand, const StepParts& parts);

}  // namespace dcube::measure
