#pragma once
// Sizes in bytes, as people write and read them.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dcube {

/// Reads "64", "64B", "4KiB", "1M": binary units, K is KiB. Throws InvalidArgument, with `option` named, for anything
/// else, for 0 and for what does not fit in 2^62 bytes.
std::size_t parse_size(std::string_view option, std::string_view text);

/// "1 byte", "64 bytes", "4 KiB", "1.5 MiB".
std::string size_text(std::uint64_t bytes);

/// The same with the exact number: "6442450944 bytes (6 GiB)".
std::string memory_text(std::uint64_t bytes);

}  // namespace dcube
