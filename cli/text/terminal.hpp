#pragma once
// The screen that standard output goes to.

#include <cstddef>

namespace dcube::cli {

/// Its columns: what COLUMNS says, else what the terminal says, else 80; at least 40.
std::size_t terminal_width();

}  // namespace dcube::cli
