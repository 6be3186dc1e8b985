#pragma once
// Lower bounds on any network of two nodes and more, by counting: what has to pass a node's ports, and how far.

#include "collectives/bounds/argument.hpp"

#include <dcube/bounds.hpp>

#include <string_view>

namespace dcube {

Argument steps_on_any_network(const Topology& topology, PortModel ports, const Problem& problem);
/// On hypercubes too.
Bound transmissions_on_any_network(const Topology& topology, const Problem& problem);

/// Some packet has to go as far.
Argument diameter_argument(const Topology& topology, std::string_view name);

/// Throws InvalidArgument for a root that is no node; only collectives that have one are asked. The rest of a problem
/// does not matter to a bound.
void require_root(const Topology& topology, const Problem& problem);

}  // namespace dcube
