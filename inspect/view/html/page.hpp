#pragma once
// The page: one file that plays documents in any browser, without a network.

#include "inspect/view/document/document.hpp"
#include "inspect/view/film/film.hpp"

#include <dcube/judge.hpp>

#include <span>
#include <string>
#include <string_view>

namespace dcube::view {

/// JSON as it stands in a page: no tag can begin in it.
std::string script_text(std::string_view json);

/// `built` with a title (text), with `body` (HTML) as what can be read without a script, and with this document
/// (JSON), in which no tag can begin.
std::string filled(std::string_view built, std::string_view title, std::string_view body, std::string_view document);

/// The page that plays one film, or two side by side. Throws what document() throws.
std::string film_page(std::span<const Film> films, std::string_view command, Packing packing = Packing::deflated);

/// The page on which a person schedules what is asked. Throws what board_document() throws.
std::string board_page(const TraceQuestion& question, std::string_view command);

}  // namespace dcube::view
