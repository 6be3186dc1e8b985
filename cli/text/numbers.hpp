#pragma once
// Durations as people read them; counts and sizes are base/numbers.hpp's.

#include "base/numbers.hpp"

#include <string>

namespace dcube::cli {

/// "24 us", "3.2 ms", "6.61 s", "12 min 5 s".
std::string duration_text(double seconds);

}  // namespace dcube::cli
