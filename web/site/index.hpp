#pragma once
/// The index that the pages search: a script, because a page from disk may not read other files.

#include "web/lessons/gallery/lesson.hpp"
#include "web/site/article.hpp"
#include "web/site/reference.hpp"

#include <string>
#include <vector>

namespace dcube::site {

/// A page and what a search finds in it; an entry's anchor is what follows the page's file in its address.
struct Indexed {
    std::string file;
    std::string label;
    std::string group;
    std::vector<Entry> entries;
};

Indexed indexed(const Page& page, const Article& article);
Indexed indexed(const gallery::Lesson& lesson);
Indexed indexed(const std::vector<Name>& reference);

/// search.js: it calls dcubeSearch with all pages.
std::string search_script(const std::vector<Indexed>& pages);

}  // namespace dcube::site
