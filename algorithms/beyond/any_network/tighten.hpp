#pragma once
// Plans made shorter: every move as late as it may be, then as early.

#include "algorithms/beyond/any_network/move_plan.hpp"
#include "collectives/graphs/arcs.hpp"

#include <dcube/link.hpp>

#include <cstdint>
#include <vector>

namespace dcube::detail {

// A node's sends of a packet, or block, depend on all that it has received of it in the steps before. The moves come
// ordered by step, those of a step in any order. They are moved to other steps, ordered by step again, such that every
// node sends what it sent before: there are never more steps than before, and no step without a move. Stops when at
// most `bound` steps are left; plans that would need gigabytes stay as they are. Returns the number of steps.
Step tighten(const Arcs& arcs, PortModel ports, std::vector<TimedMove>& moves, Step bound = 0);

// About how many operations that takes at most.
std::uint64_t tighten_work(std::uint64_t moves);

}  // namespace dcube::detail
