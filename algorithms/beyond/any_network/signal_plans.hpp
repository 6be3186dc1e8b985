#pragma once
// Barriers on any network: who signals to whom.

#include "algorithms/programs/signals.hpp"

#include <dcube/link.hpp>
#include <dcube/topology.hpp>

namespace dcube::detail {

// Up a spanning tree to its centre, which is a node or a link, and down again: 2 (N - 1) signals, the fewest. All
// ports: as many steps as the tree's longest path has links. One port: a node's children take turns, those with the
// longest way to go down first.
SignalPlan tree_signals(const Topology& topology, PortModel ports);

// Every node passes on what it has heard. All ports: over every link whose other end lacks some of it, so all have
// heard of all after as many steps as the diameter, the fewest. One port: in every step pairs of neighbours are chosen
// that learn most from each other, and then single signals; or single ones alone, if that takes fewer steps.
SignalPlan disseminated_signals(const Topology& topology, PortModel ports);

}  // namespace dcube::detail
