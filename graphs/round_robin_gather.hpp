#pragma once
// A gather whose loads are known, dealt out to steps.

#include "graphs/scatter_flow.hpp"
#include "graphs/unrolled_flow.hpp"

#include <cstdint>
#include <vector>

namespace dcube::detail {

// Backwards over the arcs of a complete flow: every node sends what it has as long as its arcs have load left. Where
// that is more arcs than packets, those go first that can least wait if all is to be done in `steps`. Whose packet goes
// where is all the same, because all go to the root. It may take longer than `steps`.
//
// If all paths are a tree's it never does: as long as a subtree has something left its arc to the root is busy, because
// every node has packets to begin with. Many packets are therefore no harder than few.
std::vector<Walk> round_robin_gather(const Arcs& arcs, NodeId root, std::uint64_t packets, const ScatterFlow& flow,
                                     Step steps);

// The step in which the last packet arrives.
Step steps_of(const std::vector<Walk>& gather);

}  // namespace dcube::detail
