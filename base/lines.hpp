#pragma once
// Text in lines of some width, and files of lines.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dcube {

/// Lines of at most `width` characters, the first one of at most `first`; none of an empty text. Words stay whole, and
/// so do numbers: 262 144.
std::vector<std::string> in_lines(std::string_view text, std::size_t width, std::size_t first);

/// A file's text, without the byte order mark that some editors write at its beginning.
std::string_view without_byte_order_mark(std::string_view text);

}  // namespace dcube
