#pragma once
// DISTRIBUTE 1 and 2 (Stout & Wagar 1990, section 4): scatters from root 0. A message's id is its target, and
// `length_of(target)` its bytes.

#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/routing.hpp"
#include "algorithms/stout_wagar/wave_plan.hpp"

#include <functional>

namespace dcube::detail {

using LengthOf = std::function<std::size_t(NodeId)>;

// DISTRIBUTE 1: the farthest messages first, everything ends in stage d - 1. Either part i of a message visits its
// dimensions cyclically from the i-th on, or every message spreads as O.C. SEND 3 does.
Routing rotating_distribution(const Topology& topology, const LengthOf& length_of);
Routing even_distribution(const Topology& topology, const LengthOf& length_of);

// DISTRIBUTE 2: waves leave the root, and every wavelet spreads on by itself.
Routing wave_routing(const Topology& topology, const WavePlan& plan, const LengthOf& length_of);

}  // namespace dcube::detail
