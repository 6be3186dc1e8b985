#pragma once
// COMPLETE BROADCAST (Stout & Wagar 1990, section 6).

#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/routing.hpp"
#include "algorithms/stout_wagar/scatter.hpp"

#include <cstddef>

namespace dcube::detail {

// Messages of length_of(origin) bytes, whose ids are their origins; parts are whole units of `unit` bytes.
Routing complete_broadcast(const Topology& topology, const LengthOf& length_of, std::size_t unit);

Phases complete_broadcast_phases(unsigned d);

// (2^d - 1) tau m/d + d beta
Exact complete_broadcast_time(const Topology& topology, const Problem& problem);

}  // namespace dcube::detail
