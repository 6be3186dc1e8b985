#pragma once
// Lower bounds of scans: the rank of a cut. docs/optimality.md has the proof.

#include "collectives/bounds/argument.hpp"

#include <dcube/bounds.hpp>

#include <cstdint>
#include <vector>

namespace dcube {

/// The rank of a cut whose nodes, in the order of their ids, are `inside` again and again, `periods` times: the number
/// of different sums of nodes inside that nodes outside need, each of those before it.
std::uint64_t rank_of_cut(const std::vector<bool>& inside, std::uint64_t periods = 1);

/// The cut of one of the network's factors, in all its copies, with the largest rank per link that was found: its
/// packets are those of one block. Nothing on one node.
Argument widest_scan_cut(const Topology& topology);

/// For at least two nodes.
Argument steps_of_scan(const Topology& topology, PortModel ports, const Problem& problem);
Bound transmissions_of_scan(const Topology& topology, const Problem& problem);

}  // namespace dcube
