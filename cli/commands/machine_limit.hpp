#pragma once
// The least time that this machine could take for a run, where its limits have been measured.

#include <dcube/machine.hpp>
#include <dcube/report.hpp>

namespace dcube::cli {

/// Fills in the report's limit from the limits that are kept; leaves it empty where there are none for this host and
/// build, none with as many threads, or those of threads that were pinned otherwise. They are read once in the life of
/// the program.
void add_limit(Report& report, Pinning pinning);

}  // namespace dcube::cli
