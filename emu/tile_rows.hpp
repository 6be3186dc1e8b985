#pragma once
// TileRows: a tile's actions as loops over rows (rows.hpp), where its nodes and their links stand side by side and all
// of them have the packet. Everything else is left to the loops in tile_loops.cpp, action by action.

#include "emu/rows.hpp"
#include "emu/tiles.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace dcube::detail {

class TileRows {
public:
    // `ahead`: the tile that will run the same stage next, if there is one; what it will touch is fetched meanwhile,
    // where that is scattered.
    TileRows(Engine& engine, Chunk& chunk, Tile& tile, const Tile* ahead, Step step);

    // True if it was done for all nodes.
    bool run(const Script::Action& action);

private:
    using Images = std::array<NodeId, most_in_row>;

    [[nodiscard]] std::optional<RowOfPackets> locate(const Tile& tile, Script::Place place, NodeId block,
                                                     std::uint32_t index, Images& images) const;
    bool find_images(const Tile& tile, NodeId block, RowOfPackets& at, Images& images) const;
    bool send(const Script::Action& action);
    bool take(const Script::Action& action);
    bool add(const Script::Action& action, const RowToTake& row, const RowOfPackets& into);
    void fetch_for_next(const Script::Action& action) const;

    Engine& engine_;
    Chunk& chunk_;
    Tile& tile_;
    const Tile* ahead_;
    const Lanes& lanes_;
    Step step_;
    std::size_t held_;  // RowToSend::held
    RowOfPlaces now_;     // where this step's packets are put, from the machine's first link on
    RowOfPlaces before_;  // where those of the step before are
    Images images_;
};

}  // namespace dcube::detail
