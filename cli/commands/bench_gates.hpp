#pragma once
// Limits that a benchmark must keep, for automatic checks.

#include "measure/comparison.hpp"

#include <string>
#include <vector>

namespace dcube::cli {

/// A line for each cell whose efficiency is less than that. Throws InvalidArgument where no cell of several threads
/// has an efficiency: what could not be measured has passed nothing.
std::vector<std::string> inefficient_cells(const measure::Json& document, double least);

/// What a gate says, a line each.
struct GateLines {
    std::vector<std::string> failed;
    std::vector<std::string> undecided;  ///< of which the measurements are not good enough
};

/// Fails each cell that is slower and takes more than `most` times what it took, and each that only the old benchmark
/// has: what is no longer measured may be slower. Undecided are cells that cannot be told.
/// Throws InvalidArgument where the two have no cell in common.
GateLines slower_cells(const measure::BenchComparison& comparison, double most);

}  // namespace dcube::cli
