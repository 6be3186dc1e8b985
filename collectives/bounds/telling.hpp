#pragma once
// How long a packet takes to be known everywhere, if a node can tell one other in a step.

#include "collectives/bounds/argument.hpp"

#include <cstdint>
#include <vector>

namespace dcube {

/// The least steps in which all nodes can be told, and those nodes that are the last to be: after one step less only
/// so many of them can know.
struct TellingTime {
    std::uint64_t steps;
    Argument::Telling last;
};

/// at_distance[k]: the nodes that are k links away from the first to know. A node that is k links away or farther is
/// told by one that is k - 1 away or farther. So if I_k nodes at distance k and beyond know, I_k + I_(k-1) at most do
/// so one step later, and never more than there are; of all nodes together twice as many do.
TellingTime telling_time(const std::vector<std::uint64_t>& at_distance);

/// A packet that leaves this node in step m or later has to be told to all others, one by one. In an all-reduce it is
/// the node's share of one of the blocks; of a reduce it is read backwards.
Argument telling(const Topology& topology, const Problem& problem, NodeId node);
/// The largest over all nodes, as far as they differ; of large networks over the two that are farthest apart.
Argument longest_telling(const Topology& topology, const Problem& problem);

/// How many nodes are at each distance from a node: the factors' numbers, convolved.
std::vector<std::uint64_t> nodes_by_distance(const Topology& topology, NodeId node);

}  // namespace dcube
