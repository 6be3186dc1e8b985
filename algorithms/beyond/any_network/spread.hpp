#pragma once
// Spread: packets that some nodes have, brought to all nodes of any network; what broadcast and all-gather are, and
// backwards reduce and reduce-scatter. Every step chooses by matchings what crosses its links: of what the receivers
// lack, what the fewest nodes have.

#include "algorithms/beyond/any_network/move_plan.hpp"
#include "collectives/graphs/arcs.hpp"

#include <dcube/graph.hpp>
#include <dcube/link.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace dcube::detail {

// The most tries for each way of choosing; 0: as many as suit the number of moves.
struct SpreadEffort {
    unsigned seeds = 0;
};

// holders[p]: the nodes that have packet p at the start, at least one. Every other member of the network receives it
// exactly once. Stops at `bound` steps (0: no bound known); empty if no try takes fewer than `below`.
std::optional<MovePlan> spread(const Arcs& arcs, PortModel ports, std::span<const std::vector<NodeId>> holders,
                               Step bound, Step below = ~Step{0}, SpreadEffort effort = {});

// The approximate number of elementary operations, on a network of this many nodes and arcs.
std::uint64_t spread_work(std::uint64_t nodes, std::uint64_t arcs, PortModel ports, std::uint64_t packets,
                          SpreadEffort effort = {});

}  // namespace dcube::detail
