#include "algorithms/any_network/trees_down.hpp"

#include "algorithms/any_network/port_pairs.hpp"
#include "base/planning.hpp"

#include <dcube/random.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

constexpr ArcId no_arc = PortPairs::no_arc;
constexpr unsigned tree_rounds = 24;

struct DownTree {
    std::vector<ArcId> into{};  // by node: the arc that brings the packet; no_arc at the root
};

// e to the x, nearly, for -1000 < x: of operations that are the same on every machine, which std::exp is not.
double growth(double x)
{
    double power = 1 + x / 1024;
    for (int i = 0; i < 10; ++i)
        power *= power;
    return power;
}

// Trees of least largest load, nearly: one after the other is taken back and grown anew, at prices that rise with what
// a node sends.
class DownTrees {
public:
    DownTrees(const Arcs& arcs, NodeId root, std::uint32_t packets)
        : arcs_(arcs), root_(root), trees_(packets), sent_(arcs.nodes()), prices_(arcs.nodes())
    {
        double steepness = 3;
        for (unsigned round = 0; round < tree_rounds; ++round, steepness *= 1.2)
            for (DownTree& tree : trees_) {
                planning("trees down", 0);
                count(tree, -1);
                set_prices(steepness);
                tree = grown();
                count(tree, 1);
            }
    }

    [[nodiscard]] const std::vector<DownTree>& trees() const { return trees_; }
    [[nodiscard]] std::int64_t sent(NodeId node) const { return sent_[node]; }

private:
    void count(const DownTree& tree, std::int64_t by)
    {
        for (const ArcId arc : tree.into)
            if (arc != no_arc)
                sent_[arcs_.from(arc)] += by;
    }

    void set_prices(double steepness)
    {
        const auto top = static_cast<double>(std::max<std::int64_t>(1, std::ranges::max(sent_)));
        for (const NodeId node : arcs_.members())
            prices_[node] = growth(steepness * (static_cast<double>(sent_[node] + 1) / top - 1));
    }

    // What a tree's nodes send is, but for the root, one less than they have neighbours in it: so the cheapest is a least
    // spanning tree where a link costs what both its ends do. A little more for each hop from the root.
    [[nodiscard]] DownTree grown()
    {
        struct Growth {
            double price;
            std::uint64_t tie;
            ArcId arc;
            std::uint32_t depth;
            bool operator>(const Growth& other) const { return std::tie(price, tie) > std::tie(other.price, other.tie); }
        };
        std::priority_queue<Growth, std::vector<Growth>, std::greater<>> open;
        DownTree tree{std::vector(arcs_.nodes(), no_arc)};
        const auto reach = [&](NodeId node, std::uint32_t depth) {
            for_each_out(arcs_, node, [&](ArcId arc) {
                const double hop = 0.02 * depth / static_cast<double>(arcs_.members().size());
                open.push({prices_[node] + prices_[arcs_.to(arc)] + hop, random_(), arc, depth});
            });
        };
        for (reach(root_, 1); !open.empty();) {
            const Growth least = open.top();
            open.pop();
            const NodeId node = arcs_.to(least.arc);
            if (node == root_ || tree.into[node] != no_arc)
                continue;
            tree.into[node] = least.arc;
            reach(node, least.depth + 1);
        }
        return tree;
    }

    const Arcs& arcs_;
    NodeId root_;
    std::vector<DownTree> trees_;
    std::vector<std::int64_t> sent_;  // by node, in all trees
    std::vector<double> prices_;
    Random random_{1};
};

// Deals the hops of all trees out to steps: nodes that have most left to do are paired first, and every arc carries the
// packet that has the longest way to go, less `haste` for every packet before it.
class DownSchedule {
public:
    DownSchedule(const Arcs& arcs, NodeId root, const DownTrees& trees, std::int64_t haste)
        : arcs_(arcs), trees_(trees.trees()), waiting_(arcs.size()), to_send_(arcs.nodes()), to_receive_(arcs.nodes()),
          random_(2, static_cast<std::uint64_t>(haste))
    {
        for (const NodeId node : arcs.members()) {
            to_send_[node] = trees.sent(node);
            to_receive_[node] = node == root ? 0 : static_cast<std::int64_t>(trees_.size());
        }
        for (std::uint32_t packet = 0; packet < trees_.size(); ++packet) {
            measure_heights(packet, haste);
            pass_on(root, packet);
        }
    }

    std::optional<Spread> schedule(Step below)
    {
        Spread plan;
        const std::size_t all = trees_.size() * (arcs_.members().size() - 1);
        while (plan.moves.size() < all) {
            planning("trees down", static_cast<double>(plan.moves.size()) / static_cast<double>(all));
            if (plan.steps + std::max(std::ranges::max(to_send_), std::ranges::max(to_receive_)) >= below)
                return std::nullopt;
            const std::size_t first = plan.moves.size();
            ++plan.steps;
            for (const ArcId arc : pairs())
                plan.moves.push_back({plan.steps, arc, carry(arc)});
            for (std::size_t i = first; i < plan.moves.size(); ++i)
                pass_on(arcs_.to(plan.moves[i].arc), plan.moves[i].packet);
        }
        return plan;
    }

private:
    using Waiting = std::pair<std::int64_t, std::uint32_t>;  // the largest first: rank, packet

    // Ranks are kept by node and packet: of the arc that leads there.
    void measure_heights(std::uint32_t packet, std::int64_t haste)
    {
        const std::vector<ArcId>& into = trees_[packet].into;
        std::vector<std::int64_t> heights(arcs_.nodes());
        for (const NodeId node : arcs_.members()) {
            std::int64_t height = 1;
            for (ArcId arc = into[node]; arc != no_arc; arc = into[arcs_.from(arc)], ++height)
                heights[arcs_.to(arc)] = std::max(heights[arcs_.to(arc)], height);
        }
        for (std::int64_t& rank : heights)
            rank -= haste * packet;
        ranks_.push_back(std::move(heights));
    }

    void pass_on(NodeId node, std::uint32_t packet)
    {
        for_each_out(arcs_, node, [&](ArcId arc) {
            if (trees_[packet].into[arcs_.to(arc)] == arc)
                waiting_[arc].push({ranks_[packet][arcs_.to(arc)], packet});
        });
    }

    std::uint32_t carry(ArcId arc)
    {
        const std::uint32_t packet = waiting_[arc].top().second;
        waiting_[arc].pop();
        --to_send_[arcs_.from(arc)];
        --to_receive_[arcs_.to(arc)];
        return packet;
    }

    std::vector<ArcId> pairs()
    {
        struct End {
            std::int64_t left;
            std::uint64_t tie;
            NodeId node;
            bool sends;
        };
        std::vector<End> ends;
        std::vector<ArcId> in_order(arcs_.size());
        std::vector<std::uint8_t> usable(arcs_.size());
        std::iota(in_order.begin(), in_order.end(), ArcId{0});
        for (ArcId arc = 0; arc < arcs_.size(); ++arc)
            usable[arc] = waiting_[arc].empty() ? 0 : 1;
        for (const NodeId node : arcs_.members()) {
            ends.push_back({to_send_[node], random_(), node, true});
            ends.push_back({to_receive_[node], random_(), node, false});
            std::ranges::stable_sort(std::span(in_order).subspan(arcs_.first_out(node), arcs_.degree(node)),
                                     std::greater{}, [&](ArcId arc) { return to_receive_[arcs_.to(arc)]; });
        }
        std::ranges::sort(ends, std::greater{}, [](const End& end) { return std::tuple(end.left, end.tie); });
        PortPairs pairs(arcs_, std::move(usable), std::move(in_order));
        for (const End& end : ends) {
            if (end.sends)
                pairs.pair_sender(end.node);
            else
                pairs.pair_receiver(end.node);
        }
        return pairs.chosen();
    }

    const Arcs& arcs_;
    const std::vector<DownTree>& trees_;
    std::vector<std::vector<std::int64_t>> ranks_;
    std::vector<std::priority_queue<Waiting>> waiting_;  // by arc
    std::vector<std::int64_t> to_send_;                  // by node
    std::vector<std::int64_t> to_receive_;
    Random random_;
};

}  // namespace

std::optional<Spread> trees_down(const Arcs& arcs, NodeId root, std::uint32_t packets, Step bound, Step below)
{
    const DownTrees trees(arcs, root, packets);
    std::optional<Spread> best;
    for (const std::int64_t haste : {1000, 2, 1}) {
        std::optional<Spread> found = DownSchedule(arcs, root, trees, haste).schedule(below);
        if (!found)
            continue;
        below = found->steps;
        best = std::move(found);
        if (below <= bound)
            break;
    }
    return best;
}

}  // namespace dcube::detail
