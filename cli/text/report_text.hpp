#pragma once
// Reports and forecasts for people: they fit a screen of 80 columns and 24 lines.

#include "cli/requests.hpp"
#include "cli/text/colour.hpp"

#include <dcube/report.hpp>
#include <dcube/run.hpp>

#include <cstddef>
#include <string>

namespace dcube::cli {

/// "130 ns, 2.379 times the bound: <reason>", where some time was reached or predicted; link-bound only.
std::string time_bound_text(const Report& report, Colour colour);

std::string report_text(const Report& report, Colour colour);

std::string forecast_text(const Forecast& forecast, Colour colour);

}  // namespace dcube::cli
