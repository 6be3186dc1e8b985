#pragma once
// The lines of a proof.

#include "collectives/bounds/argument.hpp"
#include "explain/proof.hpp"

#include <string>
#include <vector>

namespace dcube::explain {

/// What the argument's packets are and where they have to go: "Packets for the 15 other nodes, which must leave node
/// 0". `packets` is "Packets" or, on links that take time, "Bytes".
std::string subject(const Topology& topology, PortModel ports, const Argument& argument, const Problem& problem,
                    const std::string& packets);

std::vector<ProofLine> step_lines(const Topology& topology, PortModel ports, const Argument& argument,
                                  const Problem& problem);
/// Those of arguments with `waits`.
std::vector<ProofLine> waiting_lines(const Argument& argument, const std::string& what);
std::vector<ProofLine> time_lines(const Topology& topology, const TimeArgument& bound, const Problem& problem);

}  // namespace dcube::explain
