#pragma once
/// Data made from a seed, for runs whose results are checked.

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace dcube {

/// Fills `input`, which is node `node`'s part, with values that tell seed, origin, target and offset. Floating-point
/// values are small integers, so that their sums are exact in any order.
void fill_input(const Problem& problem, const Topology& topology, std::uint64_t seed, NodeId node,
                std::span<std::byte> input);

}  // namespace dcube
