#pragma once
/// Markdown as HTML.

#include <string>
#include <string_view>

namespace dcube::gallery {

/// Text as it stands in HTML, also in attributes.
std::string escaped(std::string_view text);

/// The anchor that GitHub makes of a heading: letters, digits, hyphens.
std::string anchor_of(std::string_view heading);

/// Of GitHub's Markdown: tables, addresses as links, and no HTML, which is shown as text.
std::string rendered(const std::string& markdown);

/// The same for a lesson. Links to lessons (05-total-exchange.md) lead to
/// their pages, those to a thing (#node=5) are of the class "thing". Programs and commands can be scrolled with the
/// keyboard.
std::string html_of(const std::string& markdown);

}  // namespace dcube::gallery
