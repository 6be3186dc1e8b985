#pragma once
// The plan of a benchmark: its cells, their memory and the expected time.

#include "cli/commands/bench_options.hpp"
#include "cli/files/interrupt.hpp"
#include "cli/text/bench_progress.hpp"
#include "inspect/measure/experiment.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace dcube::cli {

/// If all ranks make an experiment, its clock is rank 0's, and a stop on any rank ends it on all.
measure::Surroundings surroundings(const Interrupt& interrupt, BenchProgress& progress);

/// The runs as cells.
std::vector<measure::Setup> setups_of(const std::vector<RunCommand>& runs);

/// The memory of each on rank 0; 0 for cells that cannot be measured.
std::vector<std::uint64_t> memory_of_cells(const std::vector<measure::Setup>& setups);

/// Bytes that interleaved cells may hold together: a quarter of the free memory, so that no measurement is short of it.
std::uint64_t memory_to_keep();

/// The text of --dry-run: the cells, their memory, and the expected time of measuring them, as text, JSON or CSV.
/// Throws InvalidArgument if no cell can be measured.
std::string plan_text(const std::vector<measure::Setup>& setups, const measure::BenchEffort& effort, unsigned processes,
                      BenchFormat format);

}  // namespace dcube::cli
