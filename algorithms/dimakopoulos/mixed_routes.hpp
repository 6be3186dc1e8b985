#pragma once
// Total exchange on one port by routes that take the factors in different orders, found by search (mixed_routes.cpp
// says how).

#include "algorithms/programs/schedule.hpp"

#include <dcube/topology.hpp>

#include <cstdint>

namespace dcube::detail {

inline constexpr std::uint64_t mixed_routes_seed = 2;
inline constexpr unsigned mixed_routes_effort = 500;

// The best schedule that the search finds, over shortest paths. The work is bounded by `effort` (in 10^6 times nodes^3
// times steps; at least one attempt is made), not by a clock: the same arguments give the same schedule everywhere. Up
// to 64 nodes or so make sense.
Schedule mixed_routes_by_search(const Topology& topology, std::uint64_t seed, unsigned effort);

// With the seed and the effort above.
Schedule mixed_routes(const Topology& topology);

}  // namespace dcube::detail
