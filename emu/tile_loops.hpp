#pragma once
// How a tile's stage is run.

#include "emu/tiles.hpp"

namespace dcube::detail {

// Runs the actions of the tile's stage for all of its nodes. `ahead`: the tile that will run the same stage next, if
// there is one; what it will touch is fetched meanwhile.
void run_stage(Engine& engine, Chunk& chunk, Tile& tile, const Tile* ahead, Step step);

}  // namespace dcube::detail
