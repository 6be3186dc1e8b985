#pragma once
// Sanitises untrusted text so that it can be shown.

#include <cstddef>
#include <string>
#include <string_view>

namespace dcube::view {

constexpr std::size_t longest_title = 200;  // characters
constexpr std::size_t longest_sentence = 600;

/// The text, cut to `most` characters. Invalid UTF-8, control characters, and characters that change the direction of
/// writing become U+FFFD.
std::string clean(std::string_view text, std::size_t most);

/// Text as it stands in HTML and XML: nothing in it is markup, or ends a quotation; control characters are spaces.
std::string escaped(std::string_view text);

}  // namespace dcube::view
