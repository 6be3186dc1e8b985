#pragma once
// Total exchange on all ports of Cayley graphs, found by search (class_matching.cpp says how).

#include "algorithms/programs/schedule.hpp"

#include <dcube/topology.hpp>

namespace dcube::detail {

// The schedule, translated, over shortest paths; topology.symmetric() is true. Always the same for the same network.
Schedule class_matching(const Topology& topology);

}  // namespace dcube::detail
