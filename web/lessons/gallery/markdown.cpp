#include "web/lessons/gallery/markdown.hpp"

#include <dcube/error.hpp>

#include <md4c-html.h>

#include <algorithm>
#include <regex>
#include <stdexcept>

namespace dcube::gallery {

std::string escaped(std::string_view text)
{
    std::string html;
    for (const char c : text) {
        switch (c) {
        case '&': html += "&amp;"; break;
        case '<': html += "&lt;"; break;
        case '>': html += "&gt;"; break;
        case '"': html += "&quot;"; break;
        default: html += c;
        }
    }
    return html;
}

namespace {

// The letters of the longest line; a reference such as &lt; is one.
std::size_t columns_of(std::string_view html)
{
    std::size_t longest = 0;
    std::size_t now = 0;
    bool in_mark = false;
    bool in_reference = false;
    for (const char c : html) {
        in_mark = in_mark || c == '<';
        now = c == '\n' ? 0 : now + (in_mark || in_reference ? 0 : 1);
        in_mark = in_mark && c != '>';
        in_reference = c == '&' || (in_reference && c != ';');
        longest = std::max(longest, now);
    }
    return longest;
}

// Words that light a thing in the figure: <a class="thing bound" href="#bound">.
std::string with_things(const std::string& html)
{
    static const std::regex to_thing(R"re(<a href="#([a-z]+)([="]))re");
    return std::regex_replace(html, to_thing, R"(<a class="thing $1" href="#$1$2)");
}

// Programs and drawings can be scrolled with the keyboard, and say how wide they are, by tens: the style makes their
// letters so small that they fit.
std::string with_widths(const std::string& html)
{
    constexpr std::string_view begin = "<pre>";
    constexpr std::size_t ten = 10;
    std::string all;
    std::size_t done = 0;
    for (std::size_t at = html.find(begin); at != std::string::npos; at = html.find(begin, done)) {
        const std::size_t end = html.find("</pre>", at);
        const std::size_t tens = (columns_of(std::string_view(html).substr(at, end - at)) + ten - 1) / ten * ten;
        all += html.substr(done, at - done) + "<pre class=\"columns-" + std::to_string(tens) + "\" tabindex=\"0\">";
        done = at + begin.size();
    }
    return all + html.substr(done);
}

std::string rendered(const std::string& markdown)
{
    std::string html;
    const auto take = [](const MD_CHAR* text, MD_SIZE size, void* into) {
        static_cast<std::string*>(into)->append(text, size);
    };
    const unsigned flags = MD_FLAG_TABLES | MD_FLAG_NOHTML | MD_FLAG_PERMISSIVEURLAUTOLINKS;
    if (md_html(markdown.data(), static_cast<MD_SIZE>(markdown.size()), take, &html, flags, 0) != 0)
        throw std::runtime_error("md4c has no memory left");
    return html;
}

}  // namespace

std::string html_of(const std::string& markdown)
{
    static const std::regex to_lesson(R"re(<a href="([0-9a-z-]+)\.md")re");
    return with_widths(with_things(std::regex_replace(rendered(markdown), to_lesson, R"(<a href="$1.html")")));
}

std::string html_of_line(const std::string& markdown)
{
    constexpr std::string_view begin = "<p>";
    constexpr std::string_view end = "</p>\n";
    const std::string html = html_of(markdown);
    if (html.empty())
        return html;
    if (!html.starts_with(begin) || html.find(end) != html.size() - end.size())
        throw InvalidArgument("'" + markdown + "' is not a line of text");
    return html.substr(begin.size(), html.size() - begin.size() - end.size());
}

}  // namespace dcube::gallery
