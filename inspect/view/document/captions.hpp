#pragma once
// A film's captions in the document, in three registers: what all nodes do, what one block does, and the formula.

#include "inspect/view/document/network.hpp"
#include "inspect/view/film/film.hpp"

namespace dcube::view {

/// What all nodes do: the named stretches of the time line, and a sentence for every stop of the film.
Json phases_json(const Film& film);
Json sentences_json(const Film& film);

/// What one block does: {"name", "origin", "target", "rows", "sentences"}; null where no block can be followed.
Json one_block_json(const Film& film);

/// Why it takes that many steps, by idea and formula: {"title", "parts"}, where a part is a text or a list of lines;
/// null where the algorithm is not the catalogue's, or did not come to its end.
Json why_json(const Film& film);

}  // namespace dcube::view
