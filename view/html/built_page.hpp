#pragma once
// The pages of page/dist, which are built from page/ and committed, as they are in this program.

#include <string_view>

namespace dcube::view {

/// Plays everything: also summaries of large networks, and lessons.
std::string_view whole_page();

/// Plays runs on networks that are drawn, and is smaller.
std::string_view drawn_page();

/// Shows a benchmark.
std::string_view built_bench_page();

}  // namespace dcube::view
