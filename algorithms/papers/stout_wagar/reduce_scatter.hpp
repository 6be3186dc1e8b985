#pragma once
// HISTOGRAM (Stout & Wagar 1990, section 8).

#include "algorithms/programs/routing.hpp"

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

namespace dcube::detail {

Routing histogram(const Topology& topology, const Problem& problem);

}  // namespace dcube::detail
