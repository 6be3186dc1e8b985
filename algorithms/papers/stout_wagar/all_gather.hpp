#pragma once
// COMPLETE BROADCAST (Stout & Wagar 1990, section 6), and HISTOGRAM (section 8), which is the same backwards.

#include "algorithms/papers/stout_wagar/scatter.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/routing.hpp"

#include <cstddef>
#include <optional>

namespace dcube::detail {

// The parts of a node's message that are a unit longer: parts s, s + 1, .. (staggered_part).
using Stagger = std::size_t (*)(NodeId origin, unsigned d);

// The stagger for messages of one size. The longer parts of nodes that are neighbours in dimension j lie 1 + j mod
// ceil(d/2) apart, so that a packet, which joins the parts of 2^k such nodes, has few of them more than others. (Of all
// weights that repeat those of least time for d = 2 to 9, forwards and backwards.)
std::size_t doubling_stagger(NodeId origin, unsigned d);

// Messages of length_of(origin) bytes, whose ids are their origins; parts are whole units of `unit` bytes.
Routing complete_broadcast(const Topology& topology, const LengthOf& length_of, std::size_t unit,
                           Stagger first_longer = doubling_stagger);
// Its reverse, whose ids are the blocks' nodes (reduce_scatter.cpp).
Routing histogram(const Topology& topology, const Problem& problem);

Phases complete_broadcast_phases(unsigned d);

// The time forwards or backwards, for messages of any size; none if finding it is too much work.
std::optional<Rational> walked_complete_broadcast(const Topology& topology, const Problem& problem, std::size_t unit,
                                                  Direction direction);
// The most time with m/d rounded up to whole units, also where messages are of up to m bytes.
Exact complete_broadcast_limit(const Topology& topology, std::size_t m, std::size_t unit, const LinkCosts& costs);

}  // namespace dcube::detail
