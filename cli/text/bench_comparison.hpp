#pragma once
// Two benchmarks side by side, for people.

#include "measure/comparison.hpp"

#include <string>
#include <vector>

namespace dcube::cli {

/// What differs beside the results, a row a cell that both have, how many are faster and slower, and the cells that
/// only one has. The files are named as they were given, or "now".
std::string bench_comparison_text(const measure::BenchComparison& comparison, const std::string& old_name,
                                  const std::string& new_name);

/// Cells of one benchmark against each other: for each that others are against, a row for each of these.
std::string rivals_text(const std::vector<measure::Rival>& rivals);

}  // namespace dcube::cli
