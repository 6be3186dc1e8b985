#pragma once
// COMPLETE BROADCAST (Stout & Wagar 1990, section 6).

#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/routing.hpp"
#include "algorithms/stout_wagar/scatter.hpp"

#include <cstddef>
#include <optional>

namespace dcube::detail {

// Messages of length_of(origin) bytes, whose ids are their origins; parts are whole units of `unit` bytes.
Routing complete_broadcast(const Topology& topology, const LengthOf& length_of, std::size_t unit);

Phases complete_broadcast_phases(unsigned d);

// (2^d - 1) tau m/d + d beta
Exact complete_broadcast_time(const Topology& topology, const Problem& problem);
// What it takes forwards or backwards, for messages of any size; none if that is too much work.
std::optional<Rational> walked_complete_broadcast(const Topology& topology, const Problem& problem, std::size_t unit,
                                                  Direction direction);
// With m/d rounded up to whole units it takes at most that, also where messages are of up to m bytes.
Exact complete_broadcast_limit(const Topology& topology, std::size_t m, std::size_t unit, const LinkCosts& costs);

}  // namespace dcube::detail
