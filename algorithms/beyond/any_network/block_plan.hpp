#pragma once
// All-reduce as moves of blocks, and how such a plan becomes an entry of the catalogue. A node that sends a block sends
// all that it holds of it; a partial sum is added where it arrives, a complete one is kept as it is.

#include "algorithms/beyond/any_network/move_plan.hpp"
#include "algorithms/programs/phases.hpp"
#include "collectives/graphs/arcs.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/link.hpp>
#include <dcube/schedule.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace dcube::detail {

struct BlockPlan : MovePlan {
    Phases phases{};
};

// The plan for blocks of `bytes` bytes, the last one with the rest of the vector. The moves of a step stand by sender
// and port.
PieceSchedule pieces_of(const BlockPlan& plan, const Topology& topology, std::size_t bytes, std::size_t vector);

// The inputs on which a plan depends.
struct BlockQuestion {
    Topology topology;
    PortModel ports;
    std::uint64_t blocks;

    friend bool operator==(const BlockQuestion&, const BlockQuestion&) = default;
};
std::string key_of(const BlockQuestion& question);

using MakeBlockPlan = std::function<BlockPlan(const BlockQuestion&)>;

// Adds to the head (which has a planning_work) the rest of an entry whose plan is made once and kept: the last few of
// each entry. Refuses what would take more than `most_planning_work` to plan, or millions of moves.
Entry block_plan_entry(Entry head, MakeBlockPlan make);

// Every block crosses n - 1 links in each direction.
std::uint64_t moves_of_blocks(const Topology& topology, std::uint64_t blocks);

// The bound on steps of such an all-reduce, at which a search may stop.
std::uint64_t all_reduce_bound(const BlockQuestion& question);

}  // namespace dcube::detail
