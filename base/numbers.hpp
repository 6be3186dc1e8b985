#pragma once
// Counts as people read them.

#include <cstdint>
#include <string>
#include <string_view>

namespace dcube {

/// "262 144".
std::string grouped(std::uint64_t number);
/// The same of a number of any length, given as its digits.
std::string grouped(std::string digits);
/// "1 byte", "4096 bytes".
std::string counted(std::uint64_t count, std::string_view what);

}  // namespace dcube
