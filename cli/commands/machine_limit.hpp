#pragma once
// The least time that this machine could take for a run, where its limits have been measured.

#include <dcube/report.hpp>

namespace dcube::cli {

/// Fills in the report's limit from the limits that are kept; leaves it empty where there are none for this host and
/// build, or none with as many threads. They are read once in the life of the program.
void add_limit(Report& report);

}  // namespace dcube::cli
