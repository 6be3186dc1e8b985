#pragma once
/// A document as the text of a page, and what can be found in it.

#include "web/site/contents.hpp"

#include <functional>
#include <string>
#include <vector>

namespace dcube::site {

struct Heading {
    int level;
    std::string anchor;
    std::string text;
};

/// What a search finds: the text below one heading, or a row of a table.
struct Entry {
    std::string anchor;
    std::string title;
    std::string kind;  ///< of a row: "word"; else empty
    std::string text{};
};

struct Article {
    std::string title;
    std::string html;
    std::vector<Heading> headings;      ///< without the title
    std::vector<Entry> entries;         ///< the first one is the page itself
    std::vector<std::string> pictures;  ///< files of the source tree
};

/// `exists` says of a page whether the site has it. Links to other files, which it has not, become plain text.
Article article_of(const Page& page, const std::string& markdown, const std::function<bool(const Page&)>& exists);

/// A text that is no Markdown.
Article plain_article(const Page& page, const std::string& text);

/// Without marks and with their letters for references such as &lt;.
std::string text_of(const std::string& html);

}  // namespace dcube::site
