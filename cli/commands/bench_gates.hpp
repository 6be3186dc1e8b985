#pragma once
// Limits that a benchmark must keep, for automatic checks.

#include "measure/comparison.hpp"

#include <string>
#include <vector>

namespace dcube::cli {

/// A line for each cell whose efficiency is less than that. Throws InvalidArgument where no cell of several threads
/// has an efficiency: what could not be measured has passed nothing.
std::vector<std::string> inefficient_cells(const measure::Json& document, double least);

/// A line for each cell that takes more than `most` times what it took, unless that is no difference that can be told
/// (a p-value that is too large, or rounds that were faster); of cells with too few rounds to tell, the ratio decides.
/// And one for each cell that only the old benchmark has: what is no longer measured may be slower.
/// Throws InvalidArgument where the two have no cell in common.
std::vector<std::string> slower_cells(const measure::BenchComparison& comparison, double most);

}  // namespace dcube::cli
