#pragma once
// A lower bound of total exchange with one port, where nodes differ: the nodes with the fewest links cost nothing.

#include <dcube/topology.hpp>

#include <cstdint>

namespace dcube {

/// On larger networks the cheapest paths of all packets are not looked for.
inline constexpr NodeId most_nodes_with_prices = 256;

/// Nodes with the fewest links have the price 0, all others the price 1. A packet that moves over a link pays the
/// prices of both ends.
struct NodePrices {
    std::uint64_t packets;  ///< what the cheapest paths of one packet for each pair of nodes cost together
    std::uint64_t step;     ///< the most that all packets that move in one step pay
};

/// With one port every node is at most once a sender and once a receiver in a step, so together the packets that move
/// in it pay twice the sum of all prices at most. Each packet pays at least what its cheapest path costs. So T steps
/// can be enough only if T `step` >= `packets`, whatever the algorithm does.
NodePrices node_prices(const Topology& topology);

}  // namespace dcube
