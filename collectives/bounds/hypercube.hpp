#pragma once
// Least steps on hypercubes of two nodes and more.

#include <dcube/bounds.hpp>

namespace dcube {

Bound steps_on_hypercube(const Topology& cube, PortModel ports, const Problem& problem);

}  // namespace dcube
