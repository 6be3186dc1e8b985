#pragma once
// The result of this folder's planners: moves over a network's arcs, dealt out to steps.

#include "base/bytes.hpp"
#include "collectives/graphs/arcs.hpp"

#include <dcube/graph.hpp>

#include <cstdint>
#include <vector>

namespace dcube::detail {

// A packet (in an all-reduce: what a node holds of a block) crosses an arc. Packets and blocks are numbered 0, 1, ..
struct TimedMove {
    Step step;  // 1, 2, ..
    ArcId arc;
    std::uint32_t packet;

    friend bool operator==(const TimedMove&, const TimedMove&) = default;
};

struct MovePlan {
    Step steps = 0;
    std::vector<TimedMove> moves{};  // by step

    friend bool operator==(const MovePlan&, const MovePlan&) = default;
};

// A plan in a file of the plan cache. Reading throws InvalidArgument for bytes that are none: all arcs and packets
// exist then, the last step is the plan's, and there is a move for every step at least.
void write_moves(ByteWriter& bytes, const MovePlan& plan);
MovePlan read_moves(ByteReader& bytes, std::uint64_t arcs, std::uint64_t packets);

}  // namespace dcube::detail
