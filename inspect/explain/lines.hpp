#pragma once
// The lines of a proof.

#include "collectives/bounds/argument.hpp"
#include "inspect/explain/proof.hpp"

#include <vector>

namespace dcube::explain {

std::vector<ProofLine> step_lines(const Topology& topology, PortModel ports, const Argument& argument,
                                  const Problem& problem);
std::vector<ProofLine> time_lines(const Topology& topology, const TimeArgument& bound, const Problem& problem);

}  // namespace dcube::explain
