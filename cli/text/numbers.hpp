#pragma once
// Counts and durations as people read them; sizes are base/sizes.hpp's.

#include "base/sizes.hpp"

#include <cstdint>
#include <string>

namespace dcube::cli {

/// "262 144".
std::string grouped(std::uint64_t number);

/// "24 us", "3.2 ms", "6.61 s", "12 min 5 s".
std::string duration_text(double seconds);

}  // namespace dcube::cli
