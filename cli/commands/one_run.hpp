#pragma once
// One run of dcube run: its files and signals around dcube::run_verified.

#include "cli/files/interrupt.hpp"
#include "cli/files/rank_files.hpp"
#include "cli/requests.hpp"
#include "cli/text/progress.hpp"

#include <dcube/error.hpp>
#include <dcube/report.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace dcube::cli {

/// All nodes' input where it comes from a file, else nothing. Settles what the file decides: the size of the blocks, or
/// a matrix' sides. Throws InvalidArgument.
FileBytes read_data(RunCommand& command);

/// Runs it, on all ranks of the command's machine, and writes the files that it asks for, unless there is an interrupt.
/// Progress: null if nobody sees any. Throws what run_verified throws.
Report run_once(const RunCommand& command, std::span<const std::byte> input, const Interrupt& interrupt,
                Progress* progress);

/// Prints why a run failed where JSON was asked for; what could not begin is no run.
void print_failure(const RunCommand& command, const Error& error);

}  // namespace dcube::cli
