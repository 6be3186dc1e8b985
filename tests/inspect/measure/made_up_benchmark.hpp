#pragma once
// Made-up benchmarks, whose documents are known.

#include "inspect/measure/bench_document.hpp"

#include <utility>
#include <vector>

namespace dcube::test {

// An all-to-all of 64 bytes on the 3-cube whose rounds all took `seconds`, and a little more or less.
inline measure::MeasuredCell made_up_cell(unsigned threads, double seconds, unsigned dimension = 3,
                                          std::size_t rounds = 8)
{
    measure::MeasuredCell cell;
    cell.setup.topology = Topology::hypercube(dimension);
    cell.setup.problem.bytes = 64;
    cell.setup.machine.threads = threads;
    const std::uint64_t nodes = cell.setup.topology.nodes();
    cell.outcome.facts = {.algorithm = "optimal",
                          .threads = threads,
                          .steps = nodes / 2,
                          .transmissions = nodes * nodes / 2 * dimension,
                          .link_bytes = 64 * nodes * nodes / 2 * dimension,
                          .data_bytes = 2 * 64 * nodes * nodes,
                          .verified = true};
    for (std::size_t i = 0; i < rounds; ++i) {
        const double off = 0.001 * (static_cast<double>(i) - static_cast<double>(rounds - 1) / 2);
        cell.outcome.rounds.push_back({i, {seconds * (1 + off), seconds * (1 + off), seconds * (1 + off)}});
    }
    return cell;
}

// As if all threads had run every step of every sample, and as many packets had crossed in each.
inline void count(measure::MeasuredCell& cell, std::uint64_t crossing_packets)
{
    measure::CellCounts& counts = cell.outcome.counts;
    for (const measure::Round& round : cell.outcome.rounds)
        counts.samples += round.samples_seconds.size();
    counts.engine.steps_together = counts.samples * (cell.outcome.facts.steps + 1);
    counts.engine.crossing_packets = counts.samples * crossing_packets;
}

// As if each hop had taken so many cycles, half as many instructions, and no line from memory.
inline void count_cycles(measure::MeasuredCell& cell, double cycles)
{
    measure::CellCounts& counts = cell.outcome.counts;
    counts.hardware_samples = counts.samples;
    counts.hardware.cycles =
        cycles * static_cast<double>(counts.samples) * static_cast<double>(cell.outcome.facts.transmissions);
    counts.hardware.instructions = counts.hardware.cycles / 2;
}

inline measure::Benchmark made_up(std::vector<measure::MeasuredCell> cells)
{
    measure::Benchmark benchmark;
    benchmark.command = "dcube bench all-to-all --dim 3";
    benchmark.date = "2026-11-22T18:30:00Z";
    benchmark.program = {{"version", "1.0.0"}, {"commit", "abc"},         {"compiler", "GNU 12.2.0"},
                         {"flags", "-O3"},     {"build_type", "Release"}, {"sanitizers", ""}};
    benchmark.host = {{"cpu", "Made up"}, {"fingerprint", "0123456789abcdef"}, {"idle_processors", 4.0}};
    benchmark.cells = std::move(cells);
    return benchmark;
}

inline measure::Json document_of(std::vector<measure::MeasuredCell> cells)
{
    return measure::bench_document(made_up(std::move(cells)));
}

}  // namespace dcube::test
