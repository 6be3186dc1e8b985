#pragma once
// Total exchange on all ports of any network, farthest first (farthest_first.cpp says how): for factors that are
// neither rings nor paths nor Cayley graphs, and for comparison.

#include "algorithms/programs/schedule.hpp"

#include <dcube/topology.hpp>

#include <cstdint>
#include <optional>

namespace dcube::detail {

// The best of 8 tries, over shortest paths. Always the same for the same network; ends with the first that meets a
// lower bound.
Schedule farthest_first(const Topology& topology);

// The best of `tries` (at least one) that are over before `looks` packets have been looked at, by all nodes and in all
// tries; empty if none is.
std::optional<Schedule> farthest_first_within(const Topology& topology, unsigned tries, std::uint64_t looks);

}  // namespace dcube::detail
