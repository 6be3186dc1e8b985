#include "bench/clock/scaling.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace dcube::bench {

namespace {

// The engine's own numbers: emu/clock.cpp and emu/summary.hpp.
constexpr std::uint64_t nodes_of_a_chunk = 16;
constexpr std::uint64_t chunks_of_a_worker = 4;
constexpr double worth_sharing_seconds = 4e-6;
constexpr unsigned loans_of_a_run = 4;  // start, steps, count, reset

void require_run(const ScalingConstants& constants, const ScalingLoad& load)
{
    if (load.nodes == 0 || load.steps == 0 || load.threads == 0)
        throw InvalidArgument(fmt::format("{} nodes, {} steps and {} threads are not a run: expected 1 or more of each",
                                          load.nodes, load.steps, load.threads));
    for (const double constant :
         {constants.hop_seconds, constants.byte_seconds, constants.node_seconds, constants.close_seconds,
          constants.claim_seconds, constants.handover_seconds, constants.chunk_spread,
          constants.memory_bytes_per_second, constants.start_node_seconds, constants.loan_seconds})
        if (!(constant >= 0))
            throw InvalidArgument(fmt::format("a constant of {} is not allowed: expected 0 or more", constant));
}

// Workers that have a chunk, of as many as there are threads.
unsigned workers_with_chunks(const ScalingLoad& load)
{
    return static_cast<unsigned>(std::clamp<std::uint64_t>(load.nodes / nodes_of_a_chunk, 1, load.threads));
}

std::uint64_t chunks_each(const ScalingLoad& load)
{
    return std::clamp<std::uint64_t>(load.nodes / nodes_of_a_chunk / load.threads, 1, chunks_of_a_worker);
}

double packets_of_a_step(const ScalingLoad& load)
{
    return static_cast<double>(load.transmissions) / static_cast<double>(load.steps);
}

}  // namespace

unsigned signals_of_barrier(unsigned workers)
{
    unsigned signals = 1;
    while (signals * (signals + 1) / 2 + 1 < workers)
        ++signals;
    return signals;
}

unsigned handovers_of_barrier(unsigned workers)
{
    if (workers <= 1)
        return 0;
    unsigned levels = 0;
    for (unsigned groups = workers; groups > 1; groups = (groups + tree_fan_in - 1) / tree_fan_in)
        ++levels;
    return levels + signals_of_barrier(workers) + 1;
}

StepTime step_time(const ScalingConstants& constants, const ScalingLoad& load)
{
    require_run(constants, load);
    const double packets = packets_of_a_step(load);
    const double bytes = packets * static_cast<double>(load.packet_bytes);
    const double alone = static_cast<double>(load.nodes) * constants.node_seconds + packets * constants.hop_seconds +
                         bytes * constants.byte_seconds;
    const double memory = constants.memory_bytes_per_second > 0 ? bytes / constants.memory_bytes_per_second : 0;
    StepTime time{.close_seconds = constants.close_seconds};
    if (load.threads > 1 && alone >= worth_sharing_seconds)
        time.workers = workers_with_chunks(load);
    if (time.workers == 1) {
        time.work_seconds = std::max(alone, memory);
        return time;
    }
    const auto chunks = static_cast<double>(chunks_each(load));
    const double each = std::max(alone / time.workers, memory);
    time.work_seconds = each + chunks * constants.claim_seconds;
    time.imbalance_seconds = constants.chunk_spread * each / chunks;
    time.barrier_seconds = handovers_of_barrier(time.workers) * constants.handover_seconds;
    return time;
}

double run_seconds(const ScalingConstants& constants, const ScalingLoad& load)
{
    const StepTime step = step_time(constants, load);
    const double around = static_cast<double>(load.nodes) * constants.start_node_seconds / workers_with_chunks(load);
    const double loans =
        load.threads > 1 && load.nodes > nodes_of_a_chunk ? loans_of_a_run * constants.loan_seconds : 0;
    return static_cast<double>(load.steps) * step.seconds() + around + loans;
}

double speed_up(const ScalingConstants& constants, const ScalingLoad& load)
{
    ScalingLoad alone = load;
    alone.threads = 1;
    return run_seconds(constants, alone) / run_seconds(constants, load);
}

}  // namespace dcube::bench
