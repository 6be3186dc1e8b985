#pragma once
/// The table of pages: what the site has, in which order, and under which names.

#include <span>
#include <string>
#include <string_view>

namespace dcube::site {

/// What the rows of a page's tables are, each found by itself: "word", with its name in the column of that number.
struct Rows {
    std::string_view kind{};  ///< none: rows are text
    int column = 0;
};

struct Page {
    std::string_view group;   ///< heading in the navigation
    std::string_view label;   ///< in the navigation
    std::string_view file;    ///< in the site
    std::string_view source;  ///< in the source tree: Markdown, else shown as it is; none: the page is made otherwise
    Rows rows{};
    std::string_view invitation{};  ///< on the first page: what one finds there
    std::string_view command{};     ///< the page is what `dcube COMMAND --html FILE` writes
};

/// Pages whose source is missing are left out, and so are those without one that have not been built.
std::span<const Page> contents();

/// nullptr if the file of the source tree is no page.
const Page* page_of(std::string_view source);

/// Whether the page has the site's own frame.
bool is_document(const Page& page);

}  // namespace dcube::site
