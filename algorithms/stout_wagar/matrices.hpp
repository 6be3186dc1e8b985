#pragma once
// Matrices on link-bound machines (Stout & Wagar 1990, section 6).

#include "algorithms/programs/routing.hpp"

#include <dcube/catalogue.hpp>

namespace dcube::detail {

// The transpose by submatrices, L.C. INVERSION, of messages that are packed by target.
Routing logical_cubes(const Topology& topology, const Problem& problem);

// The program that packs every node's elements by target, carries them along the routing and unpacks them.
CollectiveProgram rearranging(const Topology& topology, const Problem& problem, Routing routing);

}  // namespace dcube::detail
