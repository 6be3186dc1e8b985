#include "collectives/bounds/cuts.hpp"

#include <dcube/bounds.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace dcube {

namespace {

/// A graph cut in two, one node changing sides at a time.
class Cut {
public:
    explicit Cut(const Topology& graph) : graph_(graph), inside_(graph.nodes()), growth_(graph.nodes())
    {
        for (NodeId node = 0; node < graph.nodes(); ++node)
            growth_[node] = graph.ports(node);
    }

    void flip(NodeId node)
    {
        links_ += growth_[node];
        growth_[node] = -growth_[node];
        size_ += inside_[node] ? -1 : 1;
        inside_[node] = !inside_[node];
        for (Port port = 0; port < graph_.ports(node); ++port) {
            const NodeId other = graph_.neighbour(node, port);
            growth_[other] += inside_[other] == inside_[node] ? 2 : -2;
        }
    }

    [[nodiscard]] Rational ratio() const
    {
        const std::int64_t n = graph_.nodes();
        return links_ == 0 ? Rational{} : Rational{size_ * (n - size_), links_};
    }

    [[nodiscard]] TwoParts parts() const { return {inside_, size_, graph_.nodes() - size_, links_}; }

    /// Of the nodes that have not moved, on the larger side or, if there are none, on the other.
    [[nodiscard]] NodeId cheapest_move(const std::vector<bool>& moved) const
    {
        const bool from = 2 * size_ > std::int64_t{graph_.nodes()};
        std::pair<bool, std::int64_t> least{true, std::numeric_limits<std::int64_t>::max()};
        NodeId best = 0;
        for (NodeId node = 0; node < graph_.nodes(); ++node)
            if (const std::pair here{inside_[node] != from, growth_[node]}; !moved[node] && here < least) {
                least = here;
                best = node;
            }
        return best;
    }

private:
    const Topology& graph_;
    std::vector<bool> inside_;
    std::vector<std::int64_t> growth_;  // of links_, if the node changes sides
    std::int64_t size_ = 0;
    std::int64_t links_ = 0;
};

/// Moves every node once to the other side, from the larger side the one that leaves the smallest cut, and goes back to
/// the best cut that it passed; as long as that helps (Fiduccia and Mattheyses).
void improve(Cut& cut, NodeId nodes)
{
    for (bool improved = true; improved;) {
        const Rational before = cut.ratio();
        Rational best = before;
        std::vector<bool> moved(nodes);
        std::vector<NodeId> moves;
        std::size_t moves_to_best = 0;
        while (moves.size() < nodes) {
            moves.push_back(cut.cheapest_move(moved));
            moved[moves.back()] = true;
            cut.flip(moves.back());
            if (cut.ratio() > best) {
                best = cut.ratio();
                moves_to_best = moves.size();
            }
        }
        for (; moves.size() > moves_to_best; moves.pop_back())
            cut.flip(moves.back());
        improved = best > before;
    }
}

void keep_larger(TwoParts& best, const Cut& cut)
{
    if (cut.ratio() > best.ratio())
        best = cut.parts();
}

/// The best cut that a search reaches from the halves of some orders of the nodes: by id, by distance, and shuffled.
TwoParts best_of_some_cuts(const Topology& graph)
{
    constexpr NodeId most_nodes_improved = 1024;
    constexpr unsigned shuffles = 12;
    const NodeId n = graph.nodes();
    std::mt19937 random(n);
    std::vector<NodeId> order(n);
    std::iota(order.begin(), order.end(), NodeId{0});
    TwoParts best{};
    for (unsigned i = 0; i < 2 + shuffles; ++i) {
        Cut cut(graph);
        for (NodeId node = 0; node < n / 2; ++node) {
            cut.flip(order[node]);
            keep_larger(best, cut);
        }
        if (n <= most_nodes_improved)
            improve(cut, n);
        keep_larger(best, cut);
        if (i == 0)
            std::ranges::stable_sort(order, {}, [&](NodeId node) { return graph.distance(0, node); });
        for (NodeId node = n - 1; i > 0 && node > 0; --node)  // the same everywhere, which std::shuffle is not
            std::swap(order[node], order[random() % (node + 1)]);
    }
    return best;
}

/// The first `inner` nodes of `nodes`.
TwoParts first_nodes(std::int64_t inner, std::int64_t nodes, std::int64_t links)
{
    std::vector<bool> inside(static_cast<std::size_t>(nodes));
    std::fill_n(inside.begin(), inner, true);
    return {std::move(inside), inner, nodes - inner, links};
}

}  // namespace

TwoParts best_of_all_cuts(const Topology& network)
{
    Cut cut(network);
    TwoParts best{};
    // In Gray code order each cut differs from the one before by one node. The last node stays outside.
    for (std::uint32_t code = 1; code < std::uint32_t{1} << (network.nodes() - 1); ++code) {
        cut.flip(static_cast<NodeId>(std::countr_zero(code)));
        keep_larger(best, cut);
    }
    return best;
}

TwoParts best_cut(const Graph& graph)
{
    const std::int64_t n = graph.nodes();
    switch (graph.kind()) {
    case Graph::Kind::complete: return first_nodes(n / 2, n, (n / 2) * (n - n / 2));
    case Graph::Kind::path: return first_nodes(n / 2, n, 1);
    case Graph::Kind::ring: return first_nodes(n / 2, n, 2);
    case Graph::Kind::group:
    case Graph::Kind::list: break;
    }
    const Topology topology = Topology::product({graph});
    return n <= most_nodes_of_all_cuts ? best_of_all_cuts(topology) : best_of_some_cuts(topology);
}

Rational cut_ratio(const Graph& graph)
{
    const Rational ratio = best_cut(graph).ratio();
    const std::int64_t common = std::gcd(ratio.numerator, ratio.denominator);
    return {ratio.numerator / common, ratio.denominator / common};
}

}  // namespace dcube
