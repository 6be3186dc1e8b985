#include "algorithms/beyond/any_network/centred_tree.hpp"

#include <algorithm>
#include <ranges>

namespace dcube::detail {

namespace {

// The tree's arcs that leave every node.
class TreeLinks {
public:
    TreeLinks(const Arcs& arcs, std::span<const ArcId> tree) : arcs_(arcs), first_(arcs.nodes() + std::size_t{1})
    {
        for (const ArcId arc : tree)
            for (const NodeId node : {arcs.from(arc), arcs.to(arc)})
                ++first_[node + 1];
        for (std::size_t node = 0; node < arcs.nodes(); ++node)
            first_[node + 1] += first_[node];
        out_.resize(first_.back());
        std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
        for (const ArcId arc : tree) {
            out_[next[arcs.from(arc)]++] = arc;
            out_[next[arcs.to(arc)]++] = arcs.opposite(arc);
        }
    }

    [[nodiscard]] std::span<const ArcId> out(NodeId node) const
    {
        return std::span(out_).subspan(first_[node], first_[node + 1] - first_[node]);
    }

    // Lays `tree` from these starts on: parents, depths, and the order.
    void hang(CentredTree& tree, std::span<const NodeId> starts) const
    {
        for (const NodeId start : starts)
            tree.nodes[start].depth = 0;
        tree.downwards.assign(starts.begin(), starts.end());
        for (std::size_t i = 0; i < tree.downwards.size(); ++i)
            for (const ArcId arc : out(tree.downwards[i])) {
                const NodeId node = arcs_.to(arc);
                if (tree.nodes[tree.downwards[i]].up == arc)
                    continue;
                tree.nodes[node].up = arcs_.opposite(arc);
                tree.nodes[node].depth = tree.nodes[tree.downwards[i]].depth + 1;
                tree.downwards.push_back(node);
            }
    }

private:
    const Arcs& arcs_;
    std::vector<std::size_t> first_;
    std::vector<ArcId> out_;
};

// The path from its farthest node to the one that is farthest from that.
std::vector<ArcId> longest_path(const Arcs& arcs, const TreeLinks& links)
{
    CentredTree hung;
    NodeId end = arcs.members().front();
    for (int i = 0; i < 2; ++i) {
        hung.nodes.assign(arcs.nodes(), {});
        links.hang(hung, std::span(&end, 1));
        end = hung.downwards.back();
    }
    std::vector<ArcId> path;
    for (; hung.nodes[end].up != CentredTree::no_arc; end = arcs.to(path.back()))
        path.push_back(hung.nodes[end].up);
    return path;
}

void measure_below(const Arcs& arcs, CentredTree& tree)
{
    for (const NodeId node : tree.downwards | std::views::reverse) {
        if (tree.is_centre(node))
            continue;
        CentredTree::Node& parent = tree.nodes[arcs.to(tree.nodes[node].up)];
        parent.height = std::max(parent.height, tree.nodes[node].height + 1);
        if (parent.children++ != 0)
            tree.nodes[node].next_sibling = parent.first_child;
        parent.first_child = node;
    }
}

}  // namespace

TreeTraffic::TreeTraffic(const Arcs& arcs, std::span<const CentredTree> trees)
    : arcs_(arcs), trees_(trees), places_(trees.size() * arcs.nodes())
{
    for (std::uint32_t tree = 0; tree < trees.size(); ++tree) {
        for (const NodeId node : trees[tree].downwards)
            place(tree, node).missing = trees[tree].nodes[node].children;
        moves_ += 2 * (trees[tree].downwards.size() - 1);
    }
}

CentredTree centred(const Arcs& arcs, std::span<const ArcId> tree)
{
    const TreeLinks links(arcs, tree);
    const std::vector<ArcId> path = longest_path(arcs, links);
    CentredTree made;
    made.nodes.resize(arcs.nodes());
    made.diameter = static_cast<std::uint32_t>(path.size());
    std::vector<NodeId> centres;
    if (path.empty()) {
        centres = {arcs.members().front()};
    } else {
        const ArcId middle = path[path.size() / 2];
        centres = {arcs.from(middle)};
        if (made.has_two_centres()) {
            centres.push_back(arcs.to(middle));
            made.nodes[centres[0]].up = middle;
            made.nodes[centres[1]].up = arcs.opposite(middle);
        }
    }
    links.hang(made, centres);
    measure_below(arcs, made);
    return made;
}

}  // namespace dcube::detail
