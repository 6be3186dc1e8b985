#pragma once
// What a benchmark is going to measure, before it does.

#include "cli/commands/bench_options.hpp"
#include "cli/files/interrupt.hpp"
#include "cli/text/bench_progress.hpp"
#include "measure/experiment.hpp"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace dcube::cli {

/// The result of work() on rank 0, returned on all ranks; what it throws is thrown on all of them.
std::vector<std::uint64_t> of_first_rank(const std::function<std::vector<std::uint64_t>()>& work);

/// If all ranks make an experiment, its clock is rank 0's, and a stop on any rank ends it on all.
measure::Surroundings surroundings(const Interrupt& interrupt, BenchProgress& progress);

/// The runs as cells.
std::vector<measure::Setup> setups_of(const std::vector<RunCommand>& runs);

/// Cells that cannot be prepared, because no such algorithm can do them, say so when they are.
std::vector<measure::Candidate> candidates_of(const std::vector<measure::Setup>& setups, const std::stop_token& stop);

/// Bytes that interleaved cells may hold together: a quarter of what can be had now, so that what is measured is never
/// short of memory.
std::uint64_t memory_to_keep();

/// For --dry-run: the cells, their memory, and how long measuring them will take, as text, JSON or CSV. Throws
/// InvalidArgument where no cell can be done.
std::string plan_text(const std::vector<measure::Setup>& setups, const measure::BenchEffort& effort,
                      BenchFormat format);

}  // namespace dcube::cli
