#include "collectives/graphs/cut_nodes.hpp"

#include <algorithm>
#include <iterator>

namespace dcube::detail {

namespace {

// Depth first (Tarjan): a node is a cut node if nothing below one of its children has a link to above it. With a stack
// of its own, as paths are as deep as they are long.
class CutNodeSearch {
public:
    explicit CutNodeSearch(const Arcs& arcs)
        : arcs_(arcs), entered_(arcs.nodes()), highest_(arcs.nodes()), next_(arcs.nodes()), is_cut_(arcs.nodes())
    {
    }

    std::vector<NodeId> all()
    {
        const NodeId root = arcs_.members().front();
        std::uint32_t children_of_root = 0;
        enter(root);
        while (!path_.empty()) {
            const NodeId node = path_.back();
            if (next_[node] < arcs_.degree(node)) {
                look_at(node, arcs_.to(arcs_.first_out(node) + next_[node]++));
                continue;
            }
            path_.pop_back();
            if (path_.empty())
                break;
            const NodeId above = path_.back();
            highest_[above] = std::min(highest_[above], highest_[node]);
            if (above == root)
                ++children_of_root;
            else if (highest_[node] >= entered_[above])
                is_cut_[above] = true;
        }
        is_cut_[root] = children_of_root > 1;
        std::vector<NodeId> all;
        std::ranges::copy_if(arcs_.members(), std::back_inserter(all), [&](NodeId node) { return is_cut_[node]; });
        return all;
    }

private:
    void enter(NodeId node)
    {
        entered_[node] = highest_[node] = ++clock_;
        path_.push_back(node);
    }

    // The way back to the node above does no harm: that is no higher than itself.
    void look_at(NodeId node, NodeId next)
    {
        if (entered_[next] == 0)
            enter(next);
        else
            highest_[node] = std::min(highest_[node], entered_[next]);
    }

    const Arcs& arcs_;
    std::vector<std::uint32_t> entered_;  // when; 0: not yet
    std::vector<std::uint32_t> highest_;  // the earliest that was entered of those that can be seen from below
    std::vector<std::uint32_t> next_;     // the port to look through
    std::vector<bool> is_cut_;
    std::vector<NodeId> path_;
    std::uint32_t clock_ = 0;
};

}  // namespace

std::vector<NodeId> cut_nodes(const Arcs& arcs)
{
    return CutNodeSearch(arcs).all();
}

WithoutNode without_node(const Arcs& arcs, NodeId node)
{
    WithoutNode rest{node, std::vector(arcs.nodes(), no_part), hops_from(arcs, node), {}};
    for_each_out(arcs, node, [&](ArcId arc) {
        const NodeId first = arcs.to(arc);
        if (rest.part[first] != no_part)
            return;
        const auto number = static_cast<std::uint32_t>(rest.parts.size());
        WithoutNode::Part& part = rest.parts.emplace_back();
        std::vector<NodeId> found{first};
        rest.part[first] = number;
        for (std::size_t i = 0; i < found.size(); ++i) {
            part.far = std::max(part.far, rest.hops[found[i]]);
            for_each_out(arcs, found[i], [&](ArcId on) {
                const NodeId next = arcs.to(on);
                if (next == node || rest.part[next] != no_part)
                    return;
                rest.part[next] = number;
                found.push_back(next);
            });
        }
        part.nodes = static_cast<NodeId>(found.size());
    });
    return rest;
}

}  // namespace dcube::detail
