#pragma once
// Hall's condition with time: whether the nodes that have packets can serve all nodes that need them in a given number
// of steps, and if not, which nodes fall short.

#include "base/exact.hpp"
#include "collectives/graphs/arcs.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace dcube::detail {

// Nodes, the packets that they need together, and the waits of all senders (links) that can bring them: a sender that
// waits w steps brings nothing in the first w, and then at most one packet per step.
struct Shortage {
    std::vector<bool> nodes{};
    std::uint64_t packets = 0;
    std::vector<std::uint64_t> waits{};  // ascending
};

// The least T for which the sum of max(0, T - wait) is no less than the packets. `waits` is ascending, and has some.
std::uint64_t least_steps(const Integer& packets, std::span<const std::uint64_t> waits);

// The largest shortage of more than `steps`: none if all can be served in `steps`.
//
// One port: every node receives need[node] packets of its neighbours, each of which waits waits[node] steps. The most
// steps needed here are those that Hall's theorem requires, over all sets of receivers.
std::optional<Shortage> shortage_of_senders(const Arcs& arcs, std::span<const std::uint64_t> need,
                                            std::span<const std::uint64_t> waits, std::uint64_t steps);

// All ports: `packets` go from the root to every other node, and an arc waits as many steps as its start is hops away
// from the root. The flow is one without time: it does not say when a packet is where.
std::optional<Shortage> shortage_of_links(const Arcs& arcs, NodeId root, std::uint64_t packets, std::uint64_t steps);

}  // namespace dcube::detail
