#pragma once
/// Programs and sessions in colour.

#include <string>
#include <string_view>

namespace dcube::site {

/// A block that can be scrolled, with the button that copies it. Of a language that is not known nothing is coloured;
/// of a session (console, pycon) only what one types is copied.
std::string program_html(const std::string& text, std::string_view language);

}  // namespace dcube::site
