#pragma once
// Total exchange on one port by routes that take the factors in different orders, found by search (beyond Dimakopoulos
// & Dimopoulos 1998, whose factor-by-factor exchange takes about one and a half times the bound on meshes, as does
// every one with a fixed order).

#include "algorithms/programs/schedule.hpp"

#include <cstdint>

namespace dcube::detail {

inline constexpr std::uint64_t mixed_routes_seed = 2;
inline constexpr unsigned mixed_routes_effort = 500;

// The best schedule that the search finds, over shortest paths. In every step a matching of largest weight tells who
// sends to whom; weights favour nodes with much left to do, and hops that take work from those. How much each of that
// counts is varied from attempt to attempt. Ends with the first schedule that meets a lower bound: all hops over the
// largest number of them that one step can have.
//
// The work is bounded by `effort` (in 10^6 times nodes^3 times steps; at least one attempt is made), not by a clock:
// the same arguments give the same schedule everywhere. By default it takes a second or two; up to 64 nodes or so make
// sense. Memory grows as nodes^3.
Schedule mixed_routes(const Topology& topology, std::uint64_t seed, unsigned effort);

}  // namespace dcube::detail
