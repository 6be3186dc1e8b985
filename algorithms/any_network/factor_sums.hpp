#pragma once
// How the nodes of one factor of a product sum up a block, so that all of them have the sum: as instructions for every
// node, which all copies of the factor follow at once.

#include <dcube/graph.hpp>

#include <cstdint>
#include <vector>

namespace dcube::detail {

// A node has places for sums of the block: place 0 has its own to begin with and is only read, the others are free.
inline constexpr std::uint8_t places_of_sums = 5;

struct FactorSums {
    struct Action {
        enum class Kind : std::uint8_t {
            send,  // what is at `place`
            add,   // place = base + what arrived
            keep,  // place = what arrived
        };
        Kind kind;
        std::uint8_t place;
        std::uint8_t base;
        Port port;  // of the factor
    };
    // What is sent in a step, and what becomes of that step's packets when they have arrived.
    struct Stage {
        std::vector<Action> sends{};
        std::vector<Action> arrivals{};
    };
    struct NodeSums {
        std::vector<Stage> stages{};
        std::uint8_t result = 0;  // the place that has the sum in the end
    };

    Step steps = 0;
    std::uint64_t transmissions = 0;
    std::vector<NodeSums> nodes{};  // one, if all do the same

    [[nodiscard]] const NodeSums& of(NodeId node) const { return nodes.size() == 1 ? nodes.front() : nodes[node]; }
};

// A complete graph's in one step, a ring's in floor(n/2) by window sums, other graphs' by the best spread there and back.
// As many steps as the diameter on complete graphs, rings and trees, and at most twice as many anywhere.
FactorSums factor_sums(const Graph& graph);
// About how many operations it takes to find them.
std::uint64_t work_of_factor(const Graph& graph);

// Of a ring of so many nodes, at least 3 (window_sums.cpp).
FactorSums window_sums(NodeId nodes);

}  // namespace dcube::detail
