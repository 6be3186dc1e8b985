#pragma once
// BROADCAST 1 with packets of one size (Stout & Wagar 1990, section 2).

#include <dcube/algorithm.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

namespace dcube::detail {

// What every node runs to broadcast one packet.
CollectiveProgram doubling_program(const Topology& topology, const Problem& problem);

}  // namespace dcube::detail
