#pragma once
/// The pages of the gallery: one for each lesson, and an index of them.

#include "demos/gallery/lesson.hpp"

#include <functional>
#include <string>
#include <vector>

namespace dcube::gallery {

/// Whether a figure says below what is seen in it.
enum class Captions { below, none };

/// Where a page gets its films from: what `dcube view` makes of the arguments of a view.
struct Films {
    std::function<std::string(const std::string& arguments)> document;  ///< JSON for the player
    /// SVG of the view's step or time
    std::function<std::string(const View& view, Captions captions)> figure;
    /// What `dcube compare` prints as CSV, of the arguments of a plot
    std::function<std::string(const std::string& arguments)> comparison;
};

/// The text between the first occurrence of a string in the player's page and the next one of another. Throws
/// InvalidArgument if either is missing.
std::string between(const std::string& page, const std::string& begin, const std::string& end);

/// A lesson as a page of its own: the player's page (with its marks, see page/) and the lesson's text. `all` are the
/// lessons in their order. Without a script the page is the text with figures.
std::string lesson_page(const Lesson& lesson, const std::vector<Lesson>& all, const std::string& player,
                        const Films& films);

/// The exercises of all lessons, and the same with their solutions: sheets to print, without a script.
enum class Solutions { none, below };
std::string exercises_page(const std::vector<Lesson>& all, Solutions solutions);

/// All lessons in their order, as cards, in the player's colours. It needs no script.
std::string index_page(const std::vector<Lesson>& all, const std::string& player, const Films& films);

}  // namespace dcube::gallery
