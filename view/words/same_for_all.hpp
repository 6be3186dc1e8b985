#pragma once
// What all nodes do in a step, where all do the same, seen from themselves.

#include "view/film/film.hpp"

#include <string>

namespace dcube::view {

/// "Every node does the same, seen from itself: its links 0, 1, 2 carry blocks that still have to change bits 001, 010,
/// 111." Empty where they do not, or in a step in which nothing is sent. The film has rows.
std::string same_for_all(const Film& film, Step step);

}  // namespace dcube::view
