#pragma once
// Completed sends (Stout & Wagar 1990, section 6): every node sends to many others at once, and all nodes act alike.

#include "algorithms/programs/cut.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/routing.hpp"
#include "base/exact.hpp"

#include <dcube/algorithm.hpp>
#include <dcube/link.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <functional>
#include <vector>

namespace dcube::detail {

// The data that `source` has for `target`: one fragment, perhaps empty.
using FragmentFor = std::function<Fragment(NodeId source, NodeId target)>;

// Part i of n of the `bytes` bytes for a difference of source and target; together the parts are all of them.
using PartFor = Stretch (*)(std::size_t bytes, unsigned n, unsigned i, NodeId difference);
// All are cut in parts of equal length, the longer ones staggered.
Stretch equal_part(std::size_t bytes, unsigned n, unsigned i, NodeId difference);

// Part i of what a node has for another corrects the address bits i, i + 1, .., cyclically in `dims`, which must hold
// all differences; `differences` are those of source and target with something to carry. In stage k, link dims[j]
// carries parts j - k.
Routing complete_send(const Topology& topology, std::vector<Port> dims, std::vector<NodeId> differences,
                      FragmentFor fragment_for, PartFor part_for = equal_part);
// The same from every node to every other: COMPLETE EXCHANGE in its rotated form.
Routing complete_exchange(const Topology& topology, FragmentFor fragment_for, PartFor part_for = equal_part);
// It carries a matrix stored by rows to its other layout (row_layouts.cpp).
Routing matrix_exchange(const Topology& topology, const Problem& problem);

// The two exchanges of messages of one size, and the program of every node for the first.
Routing rotated_exchange(const Topology& topology, const Problem& problem);
CollectiveProgram rotated_program(const Topology& topology, const Problem& problem);
Routing distribute_everywhere(const Topology& topology, const Problem& problem);

// The stretches of all packets, where every node has something for every other.
double complete_exchange_pieces(const Topology& topology);

// The phases of a completed send over n dimensions, or of any whose parts take n rotated paths; and of the complete
// exchange.
Phases rotated_hops_phases(unsigned n);
Phases complete_exchange_phases(unsigned d);

// 2^(d-1) tau m + d beta for m bytes from every node to every other.
Exact complete_exchange_time(const Topology& topology, const Exact& bytes, const LinkModel& link);
// The most time with m/d rounded up, also where nodes have up to m bytes for each other.
Exact complete_exchange_limit(const Topology& topology, std::size_t bytes, const LinkModel& link);

}  // namespace dcube::detail
