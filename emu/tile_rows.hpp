#pragma once
// TileRows: a tile's actions as loops over rows (rows.hpp), where its nodes and their links stand side by side and all
// of them have the packet. Everything else is left to the loops in tile_loops.cpp, action by action.

#include "emu/rows.hpp"
#include "emu/tiles.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace dcube::detail {

class TileRows {
public:
    // `ahead`: a tile that will soon run its stage, if there is one.
    TileRows(Engine& engine, Chunk& chunk, Tile& tile, const Tile* ahead, Step step);

    // True if it was done for all nodes.
    bool run(const Script::Action& action);
    // Counts what was done, when the stage ends.
    void count() const;
    // Asks the cache for what the tile ahead will touch in its action of this number, where that is scattered.
    void fetch_ahead(std::size_t number) const
    {
        if (scattered_ != 0 && number < actions_ahead_.size())
            fetch_ahead(actions_ahead_[number]);
    }

private:
    using Images = std::array<NodeId, most_in_row>;
    enum class Found : std::uint8_t { all, none, perhaps };

    // Where the nodes of a tile have a packet: all of them, or none has it, or it is not known here.
    Found find(const Tile& tile, Script::Place place, NodeId block, std::uint32_t index, RowOfPackets& at,
               Images& images) const;
    bool look_images_up(const Tile& tile, NodeId block, RowOfPackets& at, Images& images) const;
    bool send(const Script::Action& action);
    bool find_links(Port port);
    bool take(const Script::Action& action);
    bool add(const Script::Action& action);
    [[nodiscard]] bool is_scattered(Script::Place place) const
    {
        return (scattered_ >> static_cast<unsigned>(place) & 1) != 0;
    }
    void fetch_ahead(const Script::Action& action) const;

    Engine& engine_;
    Chunk& chunk_;
    Tile& tile_;
    const Tile* ahead_;
    std::span<const Script::Action> actions_ahead_{};
    const Lanes& lanes_;
    Step step_;
    bool turned_;                // blocks' images are XORs, as on hypercubes
    unsigned scattered_ = 0;     // a bit for each place in which packets lie scattered
    std::size_t plane_;          // from one port's links to the next one's
    const std::uint32_t* outs_;  // LinkNumbers::outs
    NodeId last_block_;
    RowOfPlaces now_;     // where this step's packets are put, from the machine's first link on
    RowOfPlaces before_;  // where those of the step before are
    std::uint64_t sent_ = 0;
    std::uint64_t taken_ = 0;
    RowToSend sending_;
    RowToTake taking_;
    Images images_;
};

}  // namespace dcube::detail
