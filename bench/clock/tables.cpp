#include "bench/clock/tables.hpp"

#include <fmt/format.h>

namespace dcube::bench {

namespace {

// "850 ns", "12.3 us", "4.56 ms", "1.2 s"
std::string time_text(double seconds)
{
    if (seconds < 1e-6)
        return fmt::format("{:.0f} ns", seconds * 1e9);
    if (seconds < 1e-3)
        return fmt::format("{:.3g} us", seconds * 1e6);
    return seconds < 1 ? fmt::format("{:.3g} ms", seconds * 1e3) : fmt::format("{:.3g} s", seconds);
}

ScalingLoad total_exchange(unsigned dimension, std::size_t bytes, unsigned cores)
{
    const std::uint64_t nodes = std::uint64_t{1} << dimension;
    return {.nodes = nodes,
            .steps = nodes / 2,
            .transmissions = nodes * nodes / 2 * dimension,
            .packet_bytes = bytes,
            .threads = cores};
}

}  // namespace

std::string text_of(const SimulationTable& table)
{
    std::string text = fmt::format("{:<18}{:>10}{:>12}{:>9}{:>12}{:>12}{:>12}{:>9}\n", "clock", "handover", "work",
                                   "workers", "step", "barrier", "efficiency", "helped");
    for (const double handover : table.handovers_ns)
        for (const double work : table.works_ns)
            for (const ClockDesign design : table.designs)
                for (const unsigned workers : table.workers) {
                    ClockCosts costs = table.costs;
                    costs.handover_ns = handover;
                    const ClockTimes times = simulate(design, costs,
                                                      {.workers = workers,
                                                       .chunks = workers * table.chunks_of_a_worker,
                                                       .step_work_ns = work,
                                                       .spread = table.spread,
                                                       .steps = table.steps,
                                                       .seed = table.seed});
                    text += fmt::format("{:<18}{:>10}{:>12}{:>9}{:>12}{:>12}{:>12.3f}{:>9.3f}\n", name(design),
                                        time_text(handover * 1e-9), time_text(work * 1e-9), workers,
                                        time_text(times.step_ns * 1e-9), time_text(times.barrier_ns * 1e-9),
                                        times.efficiency, times.helped);
                }
    return text;
}

std::string text_of(const PredictionTable& table)
{
    std::string text = fmt::format("{:>3}{:>8}{:>7}{:>12}{:>12}{:>11}{:>10}{:>12}{:>10}{:>12}\n", "d", "bytes", "cores",
                                   "step", "work", "imbalance", "barrier", "run", "speed-up", "efficiency");
    for (const unsigned dimension : table.dimensions)
        for (const unsigned cores : table.cores) {
            const ScalingLoad load = total_exchange(dimension, table.bytes, cores);
            const StepTime step = step_time(table.constants, load);
            const double gained = speed_up(table.constants, load);
            text += fmt::format("{:>3}{:>8}{:>7}{:>12}{:>12}{:>11}{:>10}{:>12}{:>10.2f}{:>12.3f}\n", dimension,
                                table.bytes, cores, time_text(step.seconds()), time_text(step.work_seconds),
                                time_text(step.imbalance_seconds), time_text(step.barrier_seconds),
                                time_text(run_seconds(table.constants, load)), gained, gained / cores);
        }
    return text;
}

}  // namespace dcube::bench
