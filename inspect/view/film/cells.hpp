#pragma once
// The cells in a node's box: one for each origin where a node waits for messages of several; else one for each part.

#include "inspect/view/film/film.hpp"

#include <cstdint>

namespace dcube::view {

struct Cells {
    std::uint32_t columns = 1;  ///< they stand as the nodes do in a lattice or grid
    std::uint32_t rows = 1;
    std::uint32_t count = 1;
    bool by_origin = false;
};

Cells cells_of(const Film& film);

}  // namespace dcube::view
