#pragma once
// A spanning tree seen from its centre: partial sums go up to it, and the whole comes down.

#include "graphs/arcs.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

// The centre is the middle of a longest path: a node, or a link, whose two ends are then each other's parents.
struct CentredTree {
    static constexpr ArcId no_arc = ~ArcId{0};

    struct Node {
        ArcId up = no_arc;         // to the parent
        std::uint32_t depth = 0;   // hops from the centre; 0 at both ends of a link
        std::uint32_t height = 0;  // hops to the farthest node below
        std::uint32_t children = 0;
        NodeId first_child = 0;  // where there are children
        NodeId next_sibling = no_node;
    };
    static constexpr NodeId no_node = ~NodeId{0};

    std::vector<Node> nodes{};         // by id
    std::vector<NodeId> downwards{};   // parents before their children
    std::uint32_t diameter = 0;

    [[nodiscard]] bool has_two_centres() const { return diameter % 2 == 1; }
    [[nodiscard]] bool is_centre(NodeId node) const { return nodes[node].depth == 0; }
    // From the centre: half the diameter, rounded down.
    [[nodiscard]] std::uint32_t radius() const { return diameter / 2; }
};

// Of a spanning tree as a list of arcs, one of each link's two.
CentredTree centred(const Arcs& arcs, std::span<const ArcId> tree);

// Calls work(child) for the nodes below.
template <class Work>
void for_each_child(const CentredTree& tree, NodeId node, const Work& work)
{
    if (tree.nodes[node].children != 0)
        for (NodeId child = tree.nodes[node].first_child; child != CentredTree::no_node;
             child = tree.nodes[child].next_sibling)
            work(child);
}

}  // namespace dcube::detail
