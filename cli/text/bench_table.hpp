#pragma once
// A benchmark for people: a row a cell.

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace dcube::cli {

/// Text of a benchmark's file, which may be anybody's: nothing in it steers a terminal or begins a line.
std::string text_of_file(std::string_view text);

/// What was measured on what, warnings, the table, and what its marks mean. Lines are no longer than the terminal is
/// wide, unless many variables differ from cell to cell: what there is no room for is named below it. `document` is a
/// benchmark's (docs/report.md).
std::string bench_table(const nlohmann::ordered_json& document);

}  // namespace dcube::cli
