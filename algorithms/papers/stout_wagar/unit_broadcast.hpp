#pragma once
// BROADCAST 1 with packets of one size (Stout & Wagar 1990, section 2).

#include <dcube/algorithm.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

namespace dcube::detail {

// The program of every node in the broadcast of one packet.
CollectiveProgram doubling_program(const Topology& topology, const Problem& problem);

}  // namespace dcube::detail
