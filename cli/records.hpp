#pragma once
// Reports, forecasts and verdicts for programs: JSON and CSV with the same keys.

#include "cli/options.hpp"

#include <dcube/judge.hpp>
#include <dcube/run.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace dcube::cli {

nlohmann::ordered_json forecast_record(const Forecast& forecast, const RunCommand& command);
nlohmann::ordered_json verdict_record(const Verdict& verdict, const VerifyCommand& command);

/// An object, or an array of objects with the same keys: a line of keys, then a line of values for each. Null is empty.
std::string to_csv(const nlohmann::ordered_json& records);

/// Indented, with a newline at the end.
std::string to_text(const nlohmann::ordered_json& record);

}  // namespace dcube::cli
