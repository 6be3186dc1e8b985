#pragma once
// A benchmark for people: a row a cell.

#include <nlohmann/json.hpp>

#include <string>

namespace dcube::cli {

/// What was measured on what, warnings, the table, and what its marks mean. Lines have at most 120 characters, unless
/// many variables differ from cell to cell. `document` is a benchmark's (docs/report.md).
std::string bench_table(const nlohmann::ordered_json& document);

}  // namespace dcube::cli
