#pragma once
/// What stands around the text of every page: the bar, the contents on the left, the page's headings on the right.

#include "web/site/article.hpp"

#include <string>
#include <vector>

namespace dcube::site {

/// In every page of the site: a folder whose index.html has it may be written to.
inline constexpr const char* made_by_mark = "<meta name=\"generator\" content=\"dcube docs\">";

/// `pages` are those that the site has, in their order.
std::string framed(const Page& page, const Article& article, const std::vector<const Page*>& pages);

}  // namespace dcube::site
