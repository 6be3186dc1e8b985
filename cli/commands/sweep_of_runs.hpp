#pragma once
// What dcube run prints: one report, or a table of those of a sweep.

#include "cli/requests.hpp"

#include <vector>

namespace dcube::cli {

/// Runs them one after the other and prints the reports. Of several, those that cannot be done are left out, in one
/// line on standard error, as long as one can. Throws what a run throws.
void run_all(std::vector<RunCommand> commands);

/// The same, but says what they would take.
void forecast_all(std::vector<RunCommand> commands);

}  // namespace dcube::cli
