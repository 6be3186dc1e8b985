#pragma once
// The keys that records have, for dcube list fields.

#include "cli/requests.hpp"

#include <string>

namespace dcube::cli {

/// Text, a table in Markdown, JSON or CSV: each key with its unit, the records that have it, and what it means.
std::string fields_table(Format format);

}  // namespace dcube::cli
