#pragma once
// INVERSION and PERMUTED SEND (Stout & Wagar 1990, section 6). A message's id is its origin.

#include "algorithms/programs/routing.hpp"

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <optional>

namespace dcube::detail {

// The identity, which moves nothing.
Routing no_packets(const Topology& topology, const Problem& problem);

// The permutation n -> n ^ D with D > 0.
Routing inversion(const Topology& topology, const Problem& problem);
// D if every node n sends to n ^ D.
std::optional<NodeId> xor_mask(const Problem& problem);

// Any permutation.
Routing permuted_send(const Topology& topology, const Problem& problem);

}  // namespace dcube::detail
