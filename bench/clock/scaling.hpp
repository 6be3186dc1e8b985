#pragma once
// A model of how long a run takes on any number of cores, from constants that are measured on one or two.

#include <cstddef>
#include <cstdint>

namespace dcube::bench {

/// What is measured. Seconds unless a name says otherwise; docs/measurements/scaling.md has the command for each.
struct ScalingConstants {
    double hop_seconds = 0;              ///< a packet is sent and taken, on one thread, without its bytes
    double byte_seconds = 0;             ///< one thread moves a byte of a packet
    double node_seconds = 0;             ///< a node that is awake and does nothing in a step
    double close_seconds = 0;            ///< closing a step, besides adding up
    double claim_seconds = 0;            ///< a chunk is claimed and finished, lines at hand
    double handover_seconds = 0;         ///< until a core has a cache line that another has
    double chunk_spread = 0;             ///< how much longer than the mean a chunk takes now and then, as a share of it
    double memory_bytes_per_second = 0;  ///< of packets, that all threads together move at most; 0: no such limit
    double start_node_seconds = 0;       ///< a node at a run's start and end: made, counted, reset; on one thread
    double loan_seconds = 0;             ///< threads are lent and given back
};

/// What is run. Transmissions are of the whole run.
struct ScalingLoad {
    std::uint64_t nodes = 1;
    std::uint64_t steps = 1;
    std::uint64_t transmissions = 0;
    std::size_t packet_bytes = 0;
    unsigned threads = 1;  ///< each on a core of its own
};

/// Of one step: its parts, which add up to it.
struct StepTime {
    double work_seconds = 0;       ///< of the worker that has most, without what follows
    double imbalance_seconds = 0;  ///< the others wait so long for its last chunk
    double barrier_seconds = 0;    ///< from the last chunk's end until all begin the next step
    double close_seconds = 0;
    unsigned workers = 1;  ///< that have something to do: 1 if the step is not worth sharing

    [[nodiscard]] double seconds() const { return work_seconds + imbalance_seconds + barrier_seconds + close_seconds; }
};

/// The engine's own (emu/clock.cpp): parts of a group of the combining tree, and signals that the last of the workers
/// raises.
constexpr unsigned tree_fan_in = 4;
unsigned signals_of_barrier(unsigned workers);

/// Lines that go from core to core one after the other, between the last chunk's end and the next step's beginning on
/// the last of the workers: levels of the combining tree above a worker's own, signals that are raised, and the last
/// one's reader (emu/clock.hpp). 0 for one worker.
unsigned handovers_of_barrier(unsigned workers);

/// Throws InvalidArgument for no nodes, no steps or no threads, or constants below 0.
StepTime step_time(const ScalingConstants& constants, const ScalingLoad& load);

/// The run: its steps, its start and its end.
double run_seconds(const ScalingConstants& constants, const ScalingLoad& load);

/// Of the run on one thread over this one's.
double speed_up(const ScalingConstants& constants, const ScalingLoad& load);

}  // namespace dcube::bench
