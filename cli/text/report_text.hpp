#pragma once
// Reports and forecasts for people: they fit a screen of 80 columns and 24 lines.

#include "cli/requests.hpp"
#include "cli/text/colour.hpp"

#include <dcube/report.hpp>
#include <dcube/run.hpp>

#include <cstdint>
#include <string>

namespace dcube::cli {

/// The rows "steps" and "transmissions", each with its lower bound; Rows::all gives the reasons for these, too.
std::string count_rows(const Report& report, std::uint64_t steps, Rows rows, Colour colour);

/// "130 ns, 2.379 times the bound", and with Rows::all ": <reason>", where some time was reached or predicted;
/// link-bound only.
std::string time_bound_text(const Report& report, Rows rows, Colour colour);

/// With Rows::main only the rows that a newcomer needs, and unusual ones, such as lost packets.
std::string report_text(const Report& report, Rows rows, Colour colour);

std::string forecast_text(const Forecast& forecast, Rows rows, Colour colour);

}  // namespace dcube::cli
