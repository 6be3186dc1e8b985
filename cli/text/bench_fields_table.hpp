#pragma once
// The keys that a benchmark's document has, for dcube list bench-fields.

#include "cli/requests.hpp"

#include <string>

namespace dcube::cli {

/// Text, a table in Markdown, JSON or CSV: each key with its unit, what may stand there, and what it means. A key with
/// a dot is one of each part of what stands before the dot.
std::string bench_fields_table(Format format);

}  // namespace dcube::cli
