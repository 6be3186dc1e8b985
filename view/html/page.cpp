#include "view/html/page.hpp"

#include "view/document/document.hpp"
#include "view/html/built_page.hpp"
#include "view/html/filled.hpp"
#include "view/layouts/layout.hpp"
#include "view/words/clean.hpp"
#include "view/words/comparison.hpp"
#include "view/words/states.hpp"
#include "view/words/titles.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dcube::view {

namespace {

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

// Whether the smaller page can play it: that one shows no faults.
bool is_drawn(const Film& film)
{
    const Topology& topology = film.recording.topology;
    return film.has_rows() && !film.recording.rejection && topology.nodes() <= most_drawn_unasked &&
           !layouts_of(topology).empty();
}

}  // namespace

std::string page_of(std::string_view title, std::string_view body, std::span<const std::string> documents)
{
    return filled(whole_page(), title, body, documents);
}

std::string film_page(std::span<const Film> films, std::string_view command, Packing packing)
{
    const Recording& first = films.front().recording;
    std::string body = fmt::format("<h1>{}</h1>\n<p>{}</p>\n", shown(title_of(first)), shown(subtitle_of(first)));
    if (films.size() == 2)
        body += fmt::format("<p>{}</p>\n", shown(comparison_sentence(first, films[1].recording)));
    for (const Film& film : films)
        body += report_html(film);
    const std::string json = document(films, command, packing);
    const std::string_view built = std::ranges::all_of(films, is_drawn) ? drawn_page() : whole_page();
    return filled(built, title_of(first), body, std::span(&json, 1));
}

}  // namespace dcube::view
