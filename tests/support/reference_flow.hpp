#pragma once
// Largest flows in networks unrolled in time, by the simplest means: for tests of those that are found faster.

#include <dcube/topology.hpp>

#include <cstdint>
#include <functional>

namespace dcube::test {

/// The number of packets of `from` that can be at other nodes after `steps` steps, if a link takes one per step and
/// each node wants at most wanted(node) of them.
std::uint64_t delivered(const Topology& topology, NodeId from, Step steps,
                        const std::function<std::uint64_t(NodeId)>& wanted);

}  // namespace dcube::test
