#pragma once
// The pages of a benchmark and of two compared: one file that shows charts and a table in any browser, without a
// network.

#include <string>
#include <string_view>

namespace dcube::view {

/// The page with a benchmark's JSON (docs/report.md) in it; nothing in that becomes markup or script.
/// Throws InvalidArgument if it is no benchmark's document.
std::string bench_page(std::string_view json);

/// The page with a comparison's JSON (measure::comparison_document) in it, and the names of what was compared: files,
/// or what else a reader knows them by. Throws InvalidArgument if it is no such document.
std::string comparison_page(std::string_view json, std::string_view old_name, std::string_view new_name);

}  // namespace dcube::view
