#pragma once
// A spread in which every packet has a spanning tree of its own.

#include "algorithms/any_network/spread.hpp"

#include <dcube/ports.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

// With one port it is better than choosing step by step where few nodes hold a network together: it knows what is left
// to do there. roots[p] has packet p at the start; `copies` packets with the same root stand side by side. Stops at
// `bound` steps.
Spread spread_along_trees(const Arcs& arcs, PortModel ports, std::span<const NodeId> roots, std::uint32_t copies,
                          Step bound);

// About how many operations that takes.
std::uint64_t spread_along_trees_work(std::uint64_t nodes, std::uint64_t arcs, std::uint64_t packets);

// The same moves in fewer steps.
void tighten_spread(const Arcs& arcs, PortModel ports, Spread& plan, Step bound);

}  // namespace dcube::detail
