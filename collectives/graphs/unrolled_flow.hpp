#pragma once
// Flows in a network that is unrolled in time, with a node for every node and step. A scatter is such a flow from the
// root; read backwards it is a gather, and it is planned as a gather.

#include "collectives/graphs/arcs.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace dcube::detail {

// The packets for each node: as many for all, or a number for each (by node; that of the root does not count).
class PacketsByNode {
public:
    PacketsByNode(std::uint64_t each) : each_(each) {}
    explicit PacketsByNode(std::vector<std::uint32_t> by_node) : by_node_(std::move(by_node)) {}

    [[nodiscard]] std::uint64_t operator[](NodeId node) const { return by_node_.empty() ? each_ : by_node_[node]; }

private:
    std::uint64_t each_ = 0;
    std::vector<std::uint32_t> by_node_{};
};

// A lower bound on the steps of a scatter of this many packets to each node (scatter_flow.hpp). It is nearly always
// enough.
std::uint64_t scatter_bound(const Arcs& arcs, NodeId root, const PacketsByNode& packets);

// The arcs that a packet takes, and in which steps. It visits no node twice.
struct Walk {
    NodeId target;
    std::vector<std::pair<Step, ArcId>> hops;
};

// The walks of all packets, those for the same node side by side, if the scatter can be done in this many steps. If
// arcs times steps are too many the search is not exhaustive: it may then return nothing although there is a solution.
std::optional<std::vector<Walk>> unrolled_scatter(const Arcs& arcs, NodeId root, const PacketsByNode& packets,
                                                  Step steps);

// The walks of the fewest steps, or, for networks too large to be searched, of few.
struct ScatterWalks {
    Step steps = 0;
    std::vector<Walk> walks{};
};
ScatterWalks scatter_walks(const Arcs& arcs, NodeId root, const PacketsByNode& packets);

}  // namespace dcube::detail
