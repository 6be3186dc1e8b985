#pragma once
// Plans made shorter: every move as late as it may be, then as early.

#include "graphs/arcs.hpp"

#include <dcube/ports.hpp>

#include <cstdint>
#include <vector>

namespace dcube::detail {

// Packet (or block) number `item` crosses an arc. What a node sends of an item depends on all that it has received of
// it in the steps before.
struct TimedMove {
    Step step;  // 1, 2, ..
    ArcId arc;
    std::uint32_t item;

    friend bool operator==(const TimedMove&, const TimedMove&) = default;
};

// Moves by step, those of a step in any order. Brings them to other steps, in which they are by step again, so that
// every node sends what it sent before: there are never more steps than before, and none in which nobody sends. Stops
// where no more than `bound` are left. Returns how many steps there are.
Step tighten(const Arcs& arcs, PortModel ports, std::vector<TimedMove>& moves, Step bound = 0);

// About how many operations that takes at most.
std::uint64_t tighten_work(std::uint64_t moves);

}  // namespace dcube::detail
