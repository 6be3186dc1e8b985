#pragma once
// Least steps on hypercubes of two nodes and more.

#include "collectives/bounds/argument.hpp"

namespace dcube {

Argument steps_on_hypercube(const Topology& cube, PortModel ports, const Problem& problem);

}  // namespace dcube
