#pragma once
// Counts as people read them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dcube {

/// "262 144".
std::string grouped(std::uint64_t number);
/// The same of a number of any length, given as its digits.
std::string grouped(std::string digits);

/// The number that these digits write, if they are digits only and it fits.
std::optional<std::uint32_t> whole_number(std::string_view digits);

}  // namespace dcube
