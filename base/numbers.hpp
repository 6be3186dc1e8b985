#pragma once
// Counts as people read them.

#include <cstdint>
#include <string>

namespace dcube {

/// "262 144".
std::string grouped(std::uint64_t number);
/// The same of a number of any length, given as its digits.
std::string grouped(std::string digits);

}  // namespace dcube
