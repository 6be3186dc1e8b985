#pragma once
#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/routing.hpp"

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

namespace dcube::detail {

// q halvings, d - q exchanges, q doublings.
Routing halving_doubling(const Topology& topology, const Problem& problem);
// The number q of halvings: the one that the problem asks for, or the best.
unsigned halvings_for(const Topology& topology, const Problem& problem);
Exact halving_doubling_time(unsigned d, unsigned q, const Exact& bytes, const LinkCosts& costs);

}  // namespace dcube::detail
