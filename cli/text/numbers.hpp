#pragma once
// Sizes, counts and durations as people write and read them.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dcube::cli {

/// Reads "64", "64B", "4KiB", "1M": binary units, K is KiB. Throws InvalidArgument, with `option` named, for anything
/// else, for 0 and for what does not fit in 2^62 bytes.
std::size_t parse_size(std::string_view option, std::string_view text);

/// "1 byte", "64 bytes", "4 KiB", "1.5 MiB".
std::string size_text(std::uint64_t bytes);

/// "262 144".
std::string grouped(std::uint64_t number);

/// "24 us", "3.2 ms", "6.61 s", "12 min 5 s".
std::string duration_text(double seconds);

}  // namespace dcube::cli
