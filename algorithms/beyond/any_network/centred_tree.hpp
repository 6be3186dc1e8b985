#pragma once
// A spanning tree seen from its centre: partial sums go up to it, and the whole comes down.

#include "collectives/graphs/arcs.hpp"

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

    std::vector<Node> nodes{};        // by id
    std::vector<NodeId> downwards{};  // parents before their children
    std::uint32_t diameter = 0;

    [[nodiscard]] bool has_two_centres() const { return diameter % 2 == 1; }
    [[nodiscard]] bool is_centre(NodeId node) const { return nodes[node].depth == 0; }
    // The hops from the centre to the farthest node: half the diameter, rounded down.
    [[nodiscard]] std::uint32_t radius() const { return diameter / 2; }
};

// Centres a spanning tree, given as a list of arcs, one of each link's two.
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

// The moves in centred trees, one tree for every block: which are ready, and which become so.
struct TreeMove {
    enum class Direction : std::uint8_t { up, down };

    std::uint32_t tree;
    NodeId node;  // the child: sends up, or gets the whole
    ArcId arc;
    std::uint32_t left;  // hops of the longest chain of moves from this one on
    Direction direction;
};

class TreeTraffic {
public:
    TreeTraffic(const Arcs& arcs, std::span<const CentredTree> trees);

    // Calls ready(move) for the moves that wait for nothing.
    template <class Ready>
    void begin(const Ready& ready)
    {
        for (std::uint32_t tree = 0; tree < trees_.size(); ++tree)
            for (const NodeId node : trees_[tree].downwards)
                if (place(tree, node).missing == 0)
                    summed_up(tree, node, ready);
    }

    // Calls ready(move) for the moves that waited for this one only.
    template <class Ready>
    void arrive(const TreeMove& move, const Ready& ready)
    {
        const CentredTree& tree = trees_[move.tree];
        const NodeId node = arcs_.to(move.arc);
        Place& at = place(move.tree, node);
        if (move.direction == TreeMove::Direction::down || tree.is_centre(move.node)) {
            at.from_parent = true;
            if (at.missing == 0)
                whole(move.tree, node, ready);
        } else if (--at.missing == 0) {
            summed_up(move.tree, node, ready);
        }
    }

    // Moves of all trees.
    [[nodiscard]] std::uint64_t moves() const { return moves_; }

private:
    struct Place {
        std::uint32_t missing = 0;  // children that have not sent yet
        bool from_parent = false;   // the parent has
    };

    Place& place(std::uint32_t tree, NodeId node) { return places_[std::size_t{tree} * arcs_.nodes() + node]; }

    // The node has all that is below it.
    template <class Ready>
    void summed_up(std::uint32_t tree, NodeId node, const Ready& ready)
    {
        const CentredTree& shape = trees_[tree];
        const CentredTree::Node& at = shape.nodes[node];
        if (at.up != CentredTree::no_arc) {
            const std::uint32_t across = shape.has_two_centres() ? 1 : 0;
            ready(TreeMove{tree, node, at.up, at.depth + across + shape.radius(), TreeMove::Direction::up});
        }
        if (at.up == CentredTree::no_arc || place(tree, node).from_parent)
            whole(tree, node, ready);
    }

    template <class Ready>
    void whole(std::uint32_t tree, NodeId node, const Ready& ready)
    {
        const CentredTree& shape = trees_[tree];
        for_each_child(shape, node, [&](NodeId child) {
            const CentredTree::Node& below = shape.nodes[child];
            ready(TreeMove{tree, child, arcs_.opposite(below.up), below.height + 1, TreeMove::Direction::down});
        });
    }

    const Arcs& arcs_;
    std::span<const CentredTree> trees_;
    std::vector<Place> places_;
    std::uint64_t moves_ = 0;
};

}  // namespace dcube::detail
