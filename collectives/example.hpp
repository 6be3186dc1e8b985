#pragma once
/// Examples: a small problem for any collective, and data made from a seed, to try, test and measure with.

#include <dcube/layout.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace dcube {

/// A valid problem with one packet of 8 bytes per message. The root is node 0 and the peer half way round; a
/// permutation takes node n to N - 1 - n (missing nodes do not count); matrices have 2N x N elements of 2 bytes in
/// blocked rows, and are relaid to striped ones. (send and exchange need two nodes: on one, validate() refuses them.)
Problem example_problem(Collective collective, const Topology& topology);

/// Fills `input`, which is node `node`'s part, with values made from seed, origin, target and offset. Floating-point
/// values are small integers, so that their sums are exact in any order. Throws InvalidArgument for an input of another
/// size than that part's.
///
/// Where groups do it, each has data of its own: those of its network, from the seed_of_group().
void fill_input(const Problem& problem, const Topology& topology, std::uint64_t seed, NodeId node,
                std::span<std::byte> input);
/// The same where the layout, of all nodes or of some, is there already.
void fill_input(const Problem& problem, const Topology& topology, const Layout& layout, std::uint64_t seed, NodeId node,
                std::span<std::byte> input);
std::uint64_t seed_of_group(std::uint64_t seed, NodeId number);

}  // namespace dcube
