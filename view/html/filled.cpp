#include "view/html/filled.hpp"

#include "view/words/clean.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace dcube::view {

namespace {

// Cuts the page at a marker, which stands in it once: what is before it and what is behind.
std::pair<std::string_view, std::string_view> cut(std::string_view page, std::string_view marker)
{
    const std::size_t at = page.find(marker);
    if (at == std::string_view::npos)
        throw std::logic_error(fmt::format("the built page has no {}", marker));
    return {page.substr(0, at), page.substr(at + marker.size())};
}

// No tag can begin in it.
std::string script_text(std::string_view json)
{
    std::string text;
    text.reserve(json.size());
    for (const char c : json)
        if (c == '<')
            text += "\\u003c";
        else
            text += c;
    return text;
}

std::string data_of(std::span<const std::string> documents)
{
    std::string text;
    for (std::size_t i = 0; i < documents.size(); ++i)
        text += fmt::format("<script type=\"application/json\" class=\"dcube-data\" id=\"view-{}\">{}</script>\n", i,
                            script_text(documents[i]));
    return text;
}

}  // namespace

std::string filled(std::string_view built, std::string_view title, std::string_view body,
                   std::span<const std::string> documents)
{
    const auto [head, after_title] = cut(built, "<title>dcube</title>");
    const auto [before_body, after_body] = cut(after_title, "<!--dcube:static-->");
    const auto [before_data, after_data] = cut(after_body, "<!--dcube:data-->");
    return fmt::format("{}<title>{}</title>{}{}{}{}{}", head, escaped(clean(title, longest_title)), before_body, body,
                       before_data, data_of(documents), after_data);
}

}  // namespace dcube::view
