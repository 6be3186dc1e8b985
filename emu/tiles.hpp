#pragma once
// Tiles: nodes that are at the same place of the same script, served side by side: a stage is run action by action over
// the tile, not node by node.
//
// Script = what, regions = where, tile = how. In the common case (wires of capacity 1, all ports, unit time, no
// observers) an action is a loop over the tile that does the same as Node::send and Node::receive: it tests the same
// rules and fills and empties the same wires. Anything unusual leaves the loop for Node::send and Node::receive, so
// that each rule has one authoritative text.

#include "emu/rows.hpp"
#include "emu/script.hpp"

#include <dcube/node.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace dcube::detail {

class Chunk;
class Engine;
struct NodeState;

// A node that follows a script; a cache line.
struct Follower {
    NodeId id;
    NodeId origin;
    std::uint32_t first_link;  // LinkNumbers::first
    std::array<std::byte*, 5> bases;
    const Follow* follow;  // null once it has broken a rule
};

// The nodes of a tile, member by member, if they and their links are neighbours: for loops over rows (tile_rows.hpp).
struct Lanes {
    NodeId first;
    std::array<std::array<std::byte*, most_in_row>, 5> bases;
    std::array<NodeId, most_in_row> origins;
    bool origins_in_order;    // neighbours, too
    bool slots_in_order;      // packets in slots lie side by side
    std::vector<Step> taken;  // at each port, the last step in which all of them took what was sent in the one before
};

struct Tile {
    static constexpr std::size_t most = most_in_row;

    Script script;
    Step before;  // the step before the script's first
    std::size_t stage = 0;
    Regions shape;  // the same for all but bases and origin
    bool one_origin = true;
    bool broken = false;  // one of them has broken a rule in the running action
    bool renamed;         // its nodes have other names than the machine's, and the script has those
    Port ports = 0;       // the number that all of them have
    std::vector<Follower> followers{};
    std::vector<std::uint32_t> sent{};  // over each port, by every one of them in loops
    std::unique_ptr<Lanes> lanes{};     // where loops over rows are possible

    [[nodiscard]] Step due() const { return before + script.stages[stage].step; }
};

class Tiles {
public:
    // This node follows a script from now on.
    void join(const NodeState& node);
    // Puts those that joined into tiles; one whose script cannot be followed fails. True if some of them have something
    // to do in this step.
    bool form(Engine& engine, Chunk& chunk, Step step);
    // Runs what is due. Nodes whose script has ended are added to `ended`.
    void run(Engine& engine, Chunk& chunk, Step step, std::vector<NodeId>& ended);

    [[nodiscard]] Step next_step(Step none) const;
    [[nodiscard]] std::size_t followers() const { return followers_; }
    void clear();

private:
    void erase_ended();

    std::vector<Tile> tiles_;
    std::vector<Step> due_;  // by tile; never, if it has ended
    std::size_t followers_ = 0;
    std::vector<const NodeState*> joined_;
};

// Runs the actions of the tile's stage for all of its nodes. `ahead`: a tile that will soon run its stage, if there is
// one; what it will touch is fetched meanwhile. Stands in tile_loops.cpp.
void run_stage(Engine& engine, Chunk& chunk, Tile& tile, const Tile* ahead, Step step);

}  // namespace dcube::detail
