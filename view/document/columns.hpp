#pragma once
// The rows of a film as columns, as a page reads them.

#include "view/document/network.hpp"
#include "view/film/column.hpp"
#include "view/film/film.hpp"

namespace dcube::view {

/// "columns" and "sets" of a film that has rows.
struct Columns {
    Json columns;
    Json sets;
};
Columns columns_of(const Film& film, Packing packing);

/// "use": the links in use in every step.
Json use_json(const Film& film, Packing packing);

}  // namespace dcube::view
