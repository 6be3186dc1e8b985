#pragma once
// Lower bounds of uneven messages (Problem::counts): what leaves and reaches nodes, by distance, and what crosses cuts.
// The networks lack no nodes.

#include "collectives/bounds/argument.hpp"

#include <dcube/bounds.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace dcube {

/// All that counting finds, those first that explain most; kept. The searches (searches.hpp) add prices and flows in
/// time.
std::shared_ptr<const std::vector<Argument>> uneven_arguments(const Topology& topology, PortModel ports,
                                                              const Problem& problem);
/// The first of the largest of them.
Argument steps_of_uneven(const Topology& topology, PortModel ports, const Problem& problem);
/// The packets that have to go somewhere, one for each pair of its origin and a node that needs it.
std::uint64_t packets_of_uneven(const Topology& topology, const Problem& problem);
Bound transmissions_of_uneven(const Topology& topology, const Problem& problem);

}  // namespace dcube
