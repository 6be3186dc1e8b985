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
/// "1 byte", "4 096 bytes".
std::string grouped(std::uint64_t count, std::string_view what);
/// "1 byte", "4096 bytes".
std::string counted(std::uint64_t count, std::string_view what);

/// A message cut in packets: "6 packets of 11 bytes, the last of 9".
std::string packets_of(std::uint64_t message, std::uint64_t bytes);

/// The number that these digits write, if they are digits only and it fits.
std::optional<std::uint32_t> whole_number(std::string_view digits);

}  // namespace dcube
