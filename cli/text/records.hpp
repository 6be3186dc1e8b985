#pragma once
// Reports, forecasts and the catalogue for programs: JSON, or CSV with the same keys (a line of keys, then a
// line of values for each record; null is empty).

#include "cli/requests.hpp"
#include "cli/text/comparison.hpp"
#include "cli/text/field.hpp"

#include <dcube/forecast.hpp>
#include <dcube/report.hpp>

#include <span>
#include <string>

namespace dcube::cli {

/// `format` is json or csv.
std::string report_record(const Report& report, Format format);
/// A JSON array, or CSV with one line of keys.
std::string reports_record(std::span<const Report> reports, Format format);
/// What a forecast says beside the keys of a report.
std::span<const Field<Forecast>> forecast_fields();
std::string forecast_record(const Forecast& forecast, Format format);
/// As of reports.
std::string forecasts_record(std::span<const Forecast> forecasts, Format format);
/// What was run (`asked` counts nothing), and why it failed: {..., "verified": false, "error": "...", "rule":
/// "link-busy", "step": 2, "node": 0, "port": 1}, with null for what the error does not tell. JSON.
std::string failure_record(const Report& asked, const Error& error);
std::string catalogue_record(Format format);
/// The machines that --machine knows.
std::string machines_record(Format format);
/// JSON: one object with all rows, the ranges of the best, and what was left out; CSV: the rows.
std::string comparison_record(const Comparison& comparison, Format format);

/// The other names of an algorithm: "total exchange, complete exchange".
std::string aliases_text(const Algorithm& algorithm);

}  // namespace dcube::cli
