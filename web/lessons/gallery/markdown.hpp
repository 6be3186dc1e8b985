#pragma once
/// Markdown as HTML.

#include <string>
#include <string_view>

namespace dcube::gallery {

/// Text as it stands in HTML, also in attributes.
std::string escaped(std::string_view text);

/// HTML of GitHub's Markdown: tables, addresses as links, and no HTML, which is shown as text. Links to lessons
/// (05-total-exchange.md) lead to their pages, those to a thing (#node=5) are of the class "thing". Programs and
/// commands can be scrolled with the keyboard.
std::string html_of(const std::string& markdown);

/// The same for one line, in places where no paragraph may stand. Throws InvalidArgument for more than text, such as a
/// list or a heading.
std::string html_of_line(const std::string& markdown);

}  // namespace dcube::gallery
