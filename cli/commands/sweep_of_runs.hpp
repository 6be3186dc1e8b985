#pragma once
// What dcube run prints: one report, or a table of those of a sweep.

#include "cli/requests.hpp"

#include <string>
#include <vector>

namespace dcube::cli {

/// Runs them one after the other and prints the reports. Of several, those that cannot be done are left out, in one
/// line on standard error, as long as one can. Throws what a run throws.
void run_all(std::vector<RunCommand> commands);

/// The same, but says what they would take.
void forecast_all(std::vector<RunCommand> commands);

/// Throws InvalidArgument: there is no such algorithm for it, or it has not what the tuning chooses.
void require_algorithm(const Topology& topology, PortModel ports, const Problem& problem, const std::string& algorithm);

}  // namespace dcube::cli
