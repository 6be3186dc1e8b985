#pragma once
// Several reports side by side.

#include <dcube/report.hpp>
#include <dcube/run.hpp>

#include <span>
#include <string>

namespace dcube::cli {

/// A table for people: values that all rows share stand above it, the other parameters are columns, and the results
/// follow. There is at least one report.
std::string reports_table(std::span<const Report> reports);

/// The same of runs that were not made.
std::string forecasts_table(std::span<const Forecast> forecasts);

/// "4.9 us"; of a first run "cold 117 us".
std::string wall_cell(const Report& report);

/// The virtual time in ns, or the steps.
std::string reached_text(const Report& report);

/// The same divided by the lower bound: "1.000"; "-" if the bound is 0.
std::string ratio_text(const Report& report);

}  // namespace dcube::cli
