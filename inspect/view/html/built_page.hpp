#pragma once
// The pages of web/page/dist, which are built from web/page/ and committed, as they are in this program.

#include <string_view>

namespace dcube::view {

/// Plays runs: one, or two side by side.
std::string_view built_film_page();
/// Boards, and lessons, with films in them.
std::string_view built_page();

/// Shows a benchmark.
std::string_view built_bench_page();

/// The lab, and its script alone, both without the module. In a file of their own: only dcube lab needs them.
std::string_view built_lab_page();
std::string_view built_lab_script();

}  // namespace dcube::view
