#pragma once
// The sum of one block over the nodes of a network, for all of them, as values that move: a node sends one of the
// values that it has, keeps arriving ones apart, and makes sums of them. All nodes make the same sums of the same two
// operands, so all get the same bits.

#include "algorithms/beyond/any_network/move_plan.hpp"
#include "collectives/graphs/arcs.hpp"

#include <dcube/graph.hpp>
#include <dcube/link.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dcube::detail {

// Values 0 .. n-1 are the blocks of nodes 0 .. n-1, those from n on are sums, the last value is the sum of all.
using ValueId = std::uint32_t;

struct SumPlan {
    struct Sum {
        ValueId first;  // the operands, in this order
        ValueId second;

        friend bool operator==(const Sum&, const Sum&) = default;
    };

    NodeId nodes = 0;
    std::vector<Sum> sums{};  // operands stand before their sum
    MovePlan moves{};         // by step; packets are values
    std::string how{};        // in one sentence

    [[nodiscard]] ValueId whole() const { return nodes + static_cast<ValueId>(sums.size()) - 1; }
    [[nodiscard]] Step steps() const { return moves.steps; }
    // Appends a sum; the same one, if it is there.
    ValueId sum_of(ValueId first, ValueId second);
    // The sum of several values, one after the other.
    ValueId sum_of(std::span<const ValueId> values);
};

// Whether the nodes' blocks stand in the sum in the order of the nodes, so that the operation need not commute.
bool keeps_order(const SumPlan& plan);

// ---- What every node does ----

// Place 0 has a node's own block, which is only read; the others are free.
struct SumScript {
    struct Transfer {
        Port port;
        std::uint32_t place;
    };
    struct Sum {
        std::uint32_t into;
        std::uint32_t first;
        std::uint32_t second;
    };
    // The values sent in a step, the places of that step's packets when they have arrived, and the sums made then.
    struct Stage {
        std::vector<Transfer> sends{};
        std::vector<Transfer> arrivals{};
        std::vector<Sum> sums{};
    };
    std::vector<Stage> stages{};
    std::uint32_t places = 1;
    std::uint32_t result = 0;
};

// The script of every node. Asserts that nodes send only values that they have.
std::vector<SumScript> scripts_of(const SumPlan& plan, const Arcs& arcs);

// ---- Plans ----

// Whether plans may sum up in any order, or must keep that of the nodes.
enum class SumOrder : std::uint8_t { any, of_nodes };

// sum_on_complete_graph.cpp: on a complete graph with one port, ceil(log2 n) steps, or one more.
SumPlan sum_on_complete_graph(const Arcs& arcs);

// sum_on_network.cpp: on any connected network. The order of the nodes is kept if there are at most
// most_groups_that_spread.
inline constexpr std::size_t most_groups_that_spread = 64;
SumPlan sum_on_network(const Arcs& arcs, PortModel ports, SumOrder order);
std::uint64_t work_of_sum(std::uint64_t nodes, std::uint64_t arcs, PortModel ports);

}  // namespace dcube::detail
