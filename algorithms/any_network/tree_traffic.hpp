#pragma once
// What moves in centred trees, one for every block: which moves are ready, and which ones become so.

#include "algorithms/any_network/centred_tree.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

struct TreeMove {
    enum class Direction : std::uint8_t { up, down };

    std::uint32_t tree;
    NodeId node;  // that sends up, or is sent the whole
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
