#include "inspect/view/html/page.hpp"

#include "inspect/view/document/board.hpp"
#include "inspect/view/html/built_page.hpp"
#include "inspect/view/words/clean.hpp"
#include "inspect/view/words/comparison.hpp"
#include "inspect/view/words/states.hpp"
#include "inspect/view/words/titles.hpp"

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

std::string shown(const std::string& text)
{
    return escaped(clean(text, longest_sentence));
}

std::string report_html(const Film& film)
{
    std::string rows;
    for (const auto& [what, text] : report_rows(film.recording))
        rows += fmt::format("<dt>{}</dt><dd>{}</dd>\n", shown(what), shown(text));
    return fmt::format("<dl>\n{}</dl>\n<p>{}</p>\n", rows, shown(last_sentence(film)));
}

}  // namespace

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

std::string filled(std::string_view built, std::string_view title, std::string_view body, std::string_view document)
{
    const auto [head, after_title] = cut(built, "<title>dcube</title>");
    const auto [before_body, after_body] = cut(after_title, "<!--dcube:static-->");
    const auto [before_data, after_data] = cut(after_body, "<!--dcube:data-->");
    return fmt::format("{}<title>{}</title>{}{}{}"
                       "<script type=\"application/json\" class=\"dcube-data\" id=\"view-0\">{}</script>\n{}",
                       head, escaped(clean(title, longest_title)), before_body, body, before_data,
                       script_text(document), after_data);
}

std::string film_page(std::span<const Film> films, std::string_view command, Packing packing)
{
    const Recording& first = films.front().recording;
    std::string body = fmt::format("<h1>{}</h1>\n<p>{}</p>\n", shown(title_of(first)), shown(subtitle_of(first)));
    if (films.size() == 2)
        body += fmt::format("<p>{}</p>\n", shown(comparison_sentence(first, films[1].recording)));
    for (const Film& film : films)
        body += report_html(film);
    return filled(built_film_page(), title_of(first), body, document(films, command, packing));
}

std::string board_page(const TraceQuestion& question, std::string_view command)
{
    const std::string document = board_document(question, command);
    const Film film = empty_film(question);
    const std::string title = board_title(film);
    const std::string body = fmt::format("<h1>{}</h1>\n<p>{}</p>\n<p>This is a board on which you schedule the packets "
                                         "yourself. It needs scripts.</p>\n",
                                         shown(title), shown(subtitle_of(film.recording)));
    return filled(built_page(), title, body, document);
}

}  // namespace dcube::view
