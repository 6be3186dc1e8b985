#pragma once
// What dcube bench measures when is decided by time and memory: with several ranks by those of rank 0.

#include "cli/files/interrupt.hpp"
#include "cli/text/bench_progress.hpp"
#include "measure/experiment.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace dcube::cli {

/// What work() gives on rank 0, on all ranks, which throw what it throws.
std::vector<std::uint64_t> of_first_rank(const std::function<std::vector<std::uint64_t>()>& work);

/// Where an experiment is made by all ranks, its clock is rank 0's, and a stop on any ends it on all.
measure::Surroundings surroundings(const Interrupt& interrupt, BenchProgress& progress);

}  // namespace dcube::cli
