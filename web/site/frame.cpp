#include "web/site/frame.hpp"

#include "web/lessons/gallery/markdown.hpp"

#include <algorithm>
#include <utility>

namespace dcube::site {

namespace {

using gallery::escaped;
using Pages = std::vector<const Page*>;

constexpr const char* logo = "<svg class=\"logo\" viewBox=\"0 0 24 24\" aria-hidden=\"true\"><path d=\"M4 9h11v11H4zM9 "
                             "4h11v11H9zM4 9l5-5M15 9l5-5"
                             "M15 20l5-5M4 20l5-5\"/></svg>";

std::string icon(const std::string& path)
{
    return "<svg class=\"icon\" viewBox=\"0 0 24 24\" aria-hidden=\"true\"><path d=\"" + path + "\"/></svg>";
}

std::string headings_list(const Article& article)
{
    std::string html = "<ul>\n";
    for (const Heading& heading : article.headings)
        if (heading.level <= 3)
            html += "<li class=\"level-" + std::to_string(heading.level) + "\"><a href=\"#" + heading.anchor + "\">" +
                    escaped(heading.text) + "</a></li>\n";
    return html + "</ul>\n";
}

std::string contents_list(const Page& here, const Article& article, const Pages& pages)
{
    std::string html;
    std::string_view group;
    for (const Page* const page : pages) {
        if (page->group != group) {
            html += (group.empty() ? "" : "</ul>\n") + ("<h2>" + std::string(page->group) + "</h2>\n<ul>\n");
            group = page->group;
        }
        html += "<li><a href=\"" + std::string(page->file) + "\"" + (page == &here ? " aria-current=\"page\"" : "") +
                ">" + escaped(page->label) + "</a>" +
                (page == &here && !article.headings.empty() ? "\n" + headings_list(article) : "") + "</li>\n";
    }
    return html + "</ul>\n";
}

// Behind the first paragraph of the first page: where one may begin.
std::string with_starts(const std::string& html, const Pages& pages)
{
    std::string starts = "<nav class=\"starts\" aria-label=\"Where to begin\">\n";
    for (const Page* const page : pages)
        if (!page->invitation.empty())
            starts += "<a href=\"" + std::string(page->file) + "\"><b>" + escaped(page->label) + "</b> " +
                      escaped(page->invitation) + "</a>\n";
    const std::string end = "</p>\n";
    const std::size_t at = std::min(html.find(end), html.size() - end.size()) + end.size();
    return html.substr(0, at) + starts + "</nav>\n" + html.substr(at);
}

std::string neighbour(const Page& page, const std::string& kind, const std::string& word)
{
    return "<a class=\"" + kind + "\" rel=\"" + (kind == "before" ? "prev" : "next") + "\" href=\"" +
           std::string(page.file) + "\"><span>" + word + "</span> " + escaped(page.label) + "</a>\n";
}

// Of the pages in this frame; from the others no link leads on.
std::string neighbours(const Page& here, const Pages& pages)
{
    Pages documents;
    std::ranges::copy_if(pages, std::back_inserter(documents), [](const Page* page) { return is_document(*page); });
    const auto place = std::ranges::find(documents, &here);
    std::string html = "<nav class=\"neighbours\" aria-label=\"Previous and next page\">\n";
    if (place != documents.begin())
        html += neighbour(**(place - 1), "before", "Previous");
    if (place + 1 != documents.end())
        html += neighbour(**(place + 1), "behind", "Next");
    return html + "</nav>\n";
}

std::string head(const Page& page, const Article& article)
{
    const std::string title =
        page.file == "index.html" ? "dcube: a hypercube computer in software" : article.title + " - dcube";
    return std::string("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n") +
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'self'; script-src "
           "'self'; "
           "img-src 'self' data:\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"color-scheme\" content=\"light dark\">\n" +
           made_by_mark + "\n<title>" + escaped(title) +
           "</title>\n<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"site.css\">\n"
           "<script src=\"site.js\"></script>\n</head>\n";
}

std::string bar()
{
    return "<header class=\"bar\">\n"
           "<button class=\"menu\" popovertarget=\"contents\" aria-label=\"Contents\">" +
           icon("M4 6h16M4 12h16M4 18h16") + "</button>\n<a class=\"brand\" href=\"index.html\">" + logo +
           "dcube <span>" DCUBE_VERSION "</span></a>\n<button class=\"to-search\" aria-label=\"Search\" hidden>" +
           icon("M11 4a7 7 0 1 0 0 14a7 7 0 1 0 0-14zM16 16l5 5") +
           "<span>Search</span> <kbd>/</kbd></button>\n<button class=\"theme\" hidden></button>\n</header>\n";
}

}  // namespace

std::string framed(const Page& page, const Article& article, const std::vector<const Page*>& pages)
{
    const bool is_first = page.file == "index.html";
    return head(page, article) + "<body>\n<a class=\"skip\" href=\"#content\">Skip to the text</a>\n" + bar() +
           "<div class=\"columns\">\n<nav id=\"contents\" class=\"contents\" popover aria-label=\"Contents\">\n" +
           contents_list(page, article, pages) + "</nav>\n<main id=\"content\" tabindex=\"-1\">\n<article" +
           (is_first ? " class=\"home\">\n" : ">\n") + (is_first ? with_starts(article.html, pages) : article.html) +
           "</article>\n" + neighbours(page, pages) + "</main>\n" +
           (article.headings.size() < 2
                ? ""
                : "<nav class=\"headings\" aria-label=\"On this page\">\n<h2>On this page</h2>\n" +
                      headings_list(article) + "</nav>\n") +
           "</div>\n</body>\n</html>\n";
}

}  // namespace dcube::site
