#pragma once
// Bounds of networks that lack nodes: those of the members alone, told by the nodes' own names.

#include "collectives/bounds/argument.hpp"

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <vector>

namespace dcube {

/// The problem for topology.of_members(). Throws InvalidArgument: its ends are missing.
Problem numbered(const Problem& problem, const Topology& topology);

/// What an argument about topology.of_members() says of the network.
Argument named(Argument argument, const Topology& topology);
std::vector<Argument> named(std::vector<Argument> arguments, const Topology& topology);

}  // namespace dcube
