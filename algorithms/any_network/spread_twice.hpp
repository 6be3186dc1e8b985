#pragma once
// All-reduce as a spread backwards, then forwards.

#include "algorithms/any_network/block_plan.hpp"

#include <dcube/ports.hpp>

namespace dcube::detail {

// Block b has its centres, one or two neighbours. Stops at the bound.
BlockPlan spread_twice(const Arcs& arcs, PortModel ports, std::uint32_t blocks, std::uint64_t bound);

// About how many operations that takes on a network of so many nodes and arcs.
std::uint64_t work_of_spreads(std::uint64_t nodes, std::uint64_t arcs, PortModel ports, std::uint64_t blocks);

Algorithm spread_twice_entry(PortModel ports);

}  // namespace dcube::detail
