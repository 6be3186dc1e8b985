#pragma once
// The sum of a block over the nodes of one factor of a product, for all of them: as instructions for every node, which
// all copies of the factor follow at once.

#include <dcube/graph.hpp>

#include <cstdint>
#include <vector>

namespace dcube::detail {

// A node has places for sums of the block: place 0 has its own to begin with and is only read, the others are free.
inline constexpr std::uint8_t places_of_sums = 5;

struct FactorSums {
    struct Action {
        enum class Kind : std::uint8_t {
            send,   // the block at `place`
            add,    // place = base + what arrived
            keep,   // place = what arrived
            share,  // place = what arrived, the share of the node `ahead`, which joins the pairwise sum
        };
        Kind kind;
        std::uint8_t place;
        std::uint8_t base;
        Port port;         // in the factor
        NodeId ahead = 0;  // counted in nodes from this one, modulo their number
    };
    // The sends of a step, and the actions on that step's packets when they have arrived.
    struct Stage {
        std::vector<Action> sends{};
        std::vector<Action> arrivals{};
    };
    struct NodeSums {
        std::vector<Stage> stages{};
        std::uint8_t result = 0;  // the place that has the sum in the end, or is to have the pairwise sum
    };

    NodeId in_pairs = 0;  // the nodes whose shares make a pairwise sum (pairwise_sum.hpp) at every node; 0: none
    Step steps = 0;
    std::uint64_t transmissions = 0;
    std::vector<NodeSums> nodes{};  // one, if all do the same

    [[nodiscard]] const NodeSums& of(NodeId node) const { return nodes.size() == 1 ? nodes.front() : nodes[node]; }
};

// All nodes have the same bits: they sum up all shares in pairs, or get the sum from the one or two nodes that made it.
//
// A complete graph's in one step, a ring's in floor(n/2) by window sums, other graphs' by the best spread there and
// back. As many steps as the diameter on complete graphs, rings and trees, and at most twice as many anywhere.
FactorSums factor_sums(const Graph& graph);
// The approximate number of operations to find them.
std::uint64_t work_of_factor(const Graph& graph);

// The sums of a ring of this many nodes, at least 3 (window_sums.cpp).
FactorSums window_sums(NodeId nodes);

}  // namespace dcube::detail
