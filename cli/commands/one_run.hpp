#pragma once
// One run of dcube run: its files and signals around dcube::run_verified.

#include "cli/requests.hpp"

#include <dcube/report.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace dcube::cli {

/// All nodes' input where it comes from a file, else nothing. Settles what the file decides: the size of the blocks, or
/// a matrix' sides. Throws InvalidArgument.
std::vector<std::byte> read_data(RunCommand& command);

/// Runs it, and writes the files that it asks for. Throws what run_verified throws.
Report run_once(const RunCommand& command, std::span<const std::byte> input);

}  // namespace dcube::cli
