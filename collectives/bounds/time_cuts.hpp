#pragma once
// Cuts of networks that are no hypercubes, for bounds of the virtual time.

#include "collectives/bounds/argument.hpp"

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <functional>

namespace dcube {

/// Calls `tell` with what must cross from the nodes round a node to the others, and back, however far "round" is, and
/// from the parts in which the network falls without a node: messages over links, and `far` - 1 hops that the last of
/// them has to go before and after that. Collectives with a message for each pair have bounds of their own.
void for_time_cuts(const Topology& topology, const Problem& problem, const std::function<void(Argument)>& tell);

}  // namespace dcube
