#pragma once
// Flows in a network that is unrolled in time: a node for every node and step. A scatter is such a flow from the root;
// backwards it is a gather, as which it is planned.

#include "graphs/arcs.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace dcube::detail {

// A lower bound of the steps of a scatter of so many packets to each node (scatter_flow.hpp), which nearly always do.
std::uint64_t scatter_bound(const Arcs& arcs, NodeId root, std::uint64_t packets);

// Where a packet is sent when, by step. It visits no node twice.
struct Walk {
    NodeId target;
    std::vector<std::pair<Step, ArcId>> hops;
};

// The walks of all packets, those for a node side by side, if it can be done in so many steps. Where arcs times steps
// are more than `most_unrolled_arcs` not all possibilities are searched: there nothing may come back though it can be
// done.
inline constexpr std::uint64_t most_unrolled_arcs = std::uint64_t{1} << 25;
std::optional<std::vector<Walk>> unrolled_scatter(const Arcs& arcs, NodeId root, std::uint64_t packets, Step steps);

// The walks of least steps, or for networks too large to be searched of few.
struct ScatterWalks {
    Step steps = 0;
    std::vector<Walk> walks{};
};
ScatterWalks scatter_walks(const Arcs& arcs, NodeId root, std::uint64_t packets);

}  // namespace dcube::detail
