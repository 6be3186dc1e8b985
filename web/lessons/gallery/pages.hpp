#pragma once
/// The pages of the gallery: one for each lesson, and an index of them.

#include "web/lessons/gallery/lesson.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace dcube::gallery {

/// Whether a figure has a caption that describes it.
enum class Captions { below, none };

/// The source of a page's films: the output of `dcube view` for the arguments of a view.
struct Films {
    std::function<std::string(const std::string& arguments)> document;  ///< JSON for the player
    /// SVG of the view's step or time
    std::function<std::string(const View& view, Captions captions)> figure;
    /// The CSV that `dcube compare` prints for the arguments of a plot
    std::function<std::string(const std::string& arguments)> comparison;
    /// The trace that `dcube run` writes, for the arguments of a view
    std::function<std::string(const std::string& arguments)> trace;
    /// A request in JSON, for the arguments of a view, with which a lab opens instead of a film
    std::function<std::string(const std::string& arguments)> request;
};

/// The request for the arguments of a view or of a run: what `dcube lab` makes of them, or the first line of a trace,
/// which has the same keys. `printed` is what dcube prints for a command line, `file` a file of the source tree.
std::string request_of(const std::string& arguments, const std::function<std::string(const std::string&)>& printed,
                       const std::function<std::string(const std::string&)>& file);

/// The most bytes that a lesson's page may have.
constexpr std::size_t most_page_bytes = 460'000;

/// The text between the first occurrence of a string in the player's page and the next one of another. Throws
/// InvalidArgument if either is missing.
std::string between(const std::string& page, const std::string& begin, const std::string& end);

/// A lesson as a page of its own: the player's page (with its marks, see web/page/) and the lesson's text. `all` are
/// the lessons in their order. Without a script the page is the text with figures. Where dcube runs in it, it loads
/// lab.js, which lies beside it. `home` is the address of the site that they are part of, if any: then documents that
/// the text names are links.
std::string lesson_page(const Lesson& lesson, const std::vector<Lesson>& all, const std::string& player,
                        const Films& films, const std::string& home = "");

/// The exercises of all lessons, and the same with their solutions: sheets to print, without a script.
enum class Solutions { none, below };
std::string exercises_page(const std::vector<Lesson>& all, Solutions solutions);

/// All lessons in their order, as cards, in the player's colours. It needs no script.
std::string index_page(const std::vector<Lesson>& all, const std::string& player, const Films& films,
                       const std::string& home = "");

}  // namespace dcube::gallery
