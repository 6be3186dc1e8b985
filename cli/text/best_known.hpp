#pragma once
// What dcube's own best algorithm takes for what a stranger's does.

#include "cli/text/field.hpp"

#include <dcube/report.hpp>

#include <string>
#include <string_view>

namespace dcube::cli {

/// "best known  optimal takes 4 steps; this trace takes 1.250 times as long", as a row; empty where dcube has none.
/// `what` is the stranger's.
std::string best_row(const Report& report, std::string_view what);

/// The same as keys: best_algorithm, best_steps, best_time_ns_decimal and ratio_to_best, null where there is none.
Json best_record(const Report& report);

}  // namespace dcube::cli
