#pragma once
// One port, many packets, a node that most ways lead through: each packet goes down a tree of its own, and the trees
// are chosen so that no node has to send much more than the others.

#include "algorithms/any_network/spread.hpp"

namespace dcube::detail {

// From one node to all others, on one port. Stops at `bound` steps; empty if it takes no less than `below`.
std::optional<Spread> trees_down(const Arcs& arcs, NodeId root, std::uint32_t packets, Step bound, Step below);

}  // namespace dcube::detail
