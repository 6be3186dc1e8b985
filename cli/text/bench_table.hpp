#pragma once
// Benchmarks for people and for tools: a table with a row per cell, nccl-tests' table, and two benchmarks side by side.

#include "base/json.hpp"
#include "inspect/measure/comparison.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace dcube::cli {

/// Text from a benchmark's file, which is untrusted: sanitised so that it cannot steer a terminal or begin a line.
std::string text_of_file(std::string_view text);

/// The conditions of the measurement, warnings, the table, and the meaning of its marks. Lines are no wider than the
/// terminal, unless many variables differ from cell to cell; columns for which there is no room are named below the
/// table. `document` is a benchmark's (docs/report.md).
std::string bench_table(const nlohmann::ordered_json& document);

/// The table that nccl-tests print, for tools that read those: with header and footer; lines of comment say which
/// network and how many threads the rows below them have. The time is the mean of the samples, as there. dcube does
/// nothing in place: those columns are N/A. Throws InvalidArgument for matrices, which nccl-tests do not know.
std::string nccl_table(const nlohmann::ordered_json& document);

/// The differences besides the results, a row for each cell that both have, the numbers of faster and slower cells, and
/// the cells that only one has. The files are named as they were given, or "now".
std::string bench_comparison_text(const measure::BenchComparison& comparison, const std::string& old_name,
                                  const std::string& new_name);

/// Cells of one benchmark against each other: for each that others are against, a row for each of these.
std::string rivals_text(const std::vector<measure::Rival>& rivals);

}  // namespace dcube::cli
