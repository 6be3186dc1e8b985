#pragma once
// The page of a benchmark: one file that shows its charts and its table in any browser, without a network.

#include <string>
#include <string_view>

namespace dcube::view {

/// The page with a benchmark's JSON (docs/report.md) in it; nothing in that becomes markup or script.
/// Throws InvalidArgument if it is no benchmark's document.
std::string bench_page(std::string_view json);

}  // namespace dcube::view
