#pragma once
// Quickest flow: how soon many packets of one node can be at another if an arc takes one per step, and on which paths
// (Ford & Fulkerson 1958).

#include "collectives/graphs/arcs.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

// The lengths of successive shortest augmenting paths, ascending: as many as there are paths that share no link. `from`
// and `to` differ.
std::vector<std::uint32_t> augmenting_lengths(const Arcs& arcs, NodeId from, NodeId to);

// The least T for which max(0, T - length + 1), added up over these ascending lengths, reaches `packets`: that many
// packets cannot arrive sooner, whatever routes they take. At least one path is needed, unless there is no packet.
std::uint64_t quickest_steps(std::span<const std::uint32_t> lengths, std::uint64_t packets);
// The number of first lengths that suffice for that.
std::size_t quickest_paths_needed(std::span<const std::uint32_t> lengths, std::uint64_t packets);

// Paths that share no link, in either direction, shortest first. If packets start on each in steps 1, 2, .. until
// `steps` - length + 1, at least `packets` of them arrive.
struct QuickestPaths {
    Step steps = 0;
    std::vector<std::vector<ArcId>> paths{};
};
QuickestPaths quickest_paths(const Arcs& arcs, NodeId from, NodeId to, std::uint64_t packets);

}  // namespace dcube::detail
