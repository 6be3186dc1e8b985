#pragma once
// The time a packet takes to reach all nodes, if a node that has it can pass it to one other node per step.

#include "collectives/bounds/argument.hpp"

#include <cstdint>
#include <vector>

namespace dcube {

/// The least number of steps in which all nodes can get the packet, and why no fewer suffice: one step earlier only
/// some of the last nodes can have it.
struct DisseminationTime {
    std::uint64_t steps;
    Argument::Dissemination last;
};

/// at_distance[k]: the number of nodes k links away from the node that has the packet first. A node that is k links
/// away or farther gets it from one that is k - 1 away or farther. So if I_k nodes at distance k and beyond have it, at
/// most I_k + I_(k-1) have it one step later, and never more than there are; of all nodes together, at most twice as
/// many.
DisseminationTime dissemination_time(const std::vector<std::uint64_t>& at_distance);

/// A packet that leaves this node in step m or later then has to be passed on to all others, by each node to one other
/// per step. In an all-reduce it is the node's share of one of the blocks; for a reduce the argument is read backwards.
Argument dissemination(const Topology& topology, const Problem& problem, NodeId node);
/// The largest over all nodes, as far as they differ; of large networks over the two that are farthest apart.
Argument longest_dissemination(const Topology& topology, const Problem& problem);

/// The number of nodes at each distance from a node: the factors' numbers, convolved.
std::vector<std::uint64_t> nodes_by_distance(const Topology& topology, NodeId node);

}  // namespace dcube
