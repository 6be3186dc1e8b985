#pragma once
// The nodes' data before the first step, and the result after the last.

#include "inspect/view/film/film.hpp"

#include <string>

namespace dcube::view {

/// "Before step 1. Every node holds 15 blocks, one for each other node. Nothing has been sent."
std::string before_sentence(const Film& film);
/// "Done. All 240 blocks are where they belong, in 8 steps: the fewest there can be."
std::string last_sentence(const Film& film);
/// "Every hop brought its block nearer: 512 of 512." Empty for reductions, and where there are no rows.
std::string hops_sentence(const Film& film);

}  // namespace dcube::view
