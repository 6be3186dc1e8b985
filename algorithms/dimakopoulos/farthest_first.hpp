#pragma once
// Total exchange on all ports of any network, farthest first (beyond Dimakopoulos & Dimopoulos 1998): for factors that
// are neither rings nor paths nor Cayley graphs, and for comparison.

#include "algorithms/programs/schedule.hpp"

namespace dcube::detail {

// The best of `tries` (at least one) schedules, over shortest paths. In every step every node matches the packets that
// it has to its ports, those with most hops left first, ties by chance. Always the same for the same network. Ends with
// the first schedule that meets a lower bound. A try takes time and memory as its hops.
Schedule greedy_exchange(const Topology& topology, unsigned tries);

}  // namespace dcube::detail
