#pragma once
// All-reduce along spanning trees, by list scheduling.

#include "algorithms/any_network/block_plan.hpp"
#include "algorithms/any_network/centred_tree.hpp"

#include <dcube/ports.hpp>

#include <span>
#include <vector>

namespace dcube::detail {

// Block b goes up and down tree b. Where several want a link (with one port: a node) the one with the largest
// left - urgency * block comes first, left the hops of the longest chain that waits for it.
BlockPlan list_scheduled(const Arcs& arcs, PortModel ports, std::span<const CentredTree> trees, std::uint32_t urgency);

// The best of several packings and urgencies, tightened; stops at the bound.
BlockPlan trees_up_and_down(const Arcs& arcs, PortModel ports, std::uint32_t blocks, std::uint64_t bound);

Algorithm trees_up_and_down_entry(PortModel ports);

}  // namespace dcube::detail
