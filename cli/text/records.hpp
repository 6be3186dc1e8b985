#pragma once
// Reports, forecasts and comparisons for programs: JSON, or CSV with the same keys.

#include "cli/requests.hpp"
#include "cli/text/comparison.hpp"
#include "run/field.hpp"

#include <dcube/report.hpp>
#include <dcube/run.hpp>

#include <span>
#include <string>

namespace dcube::cli {

/// `format` is json or csv.
std::string report_record(const Report& report, Format format);
/// A JSON array, or CSV with one line of keys.
std::string reports_record(std::span<const Report> reports, Format format);
std::string forecast_record(const Forecast& forecast, Format format);
/// The same formats as reports_record().
std::string forecasts_record(std::span<const Forecast> forecasts, Format format);
/// The request (`asked` has no counts) and the reason of the failure: {..., "verified": false, "error": "...", "rule":
/// "link-busy", "step": 2, "node": 0, "port": 1}, with null for values that the error lacks. JSON.
std::string failure_record(const Report& asked, const Error& error);
/// Quantities of a comparison, beside what was asked.
std::span<const Field<Comparison>> comparison_fields();
/// JSON: one object with all rows, the ranges of the best, and what was left out; CSV: the rows.
std::string comparison_record(const Comparison& comparison, Format format);

}  // namespace dcube::cli
