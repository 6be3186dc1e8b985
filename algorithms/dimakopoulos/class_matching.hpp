#pragma once
// Total exchange on all ports of Cayley graphs (beyond Dimakopoulos & Dimopoulos 1998, who have no schedules for groups
// that do not commute).

#include "algorithms/programs/schedule.hpp"

namespace dcube::detail {

// The schedule, translated, over shortest paths; topology.symmetric() is true. Always the same for the same network.
//
// A search, of which little is proved: it ends with the first schedule that meets a lower bound (which it does on
// star:4, star:5, star:6, pancake:4, pancake:5 and cube-connected cycles), else with the best of a number of attempts
// that goes down with the sum of all distances. Takes about a second at most, memory for a word per node and port.
Schedule cayley_exchange(const Topology& topology);

}  // namespace dcube::detail
