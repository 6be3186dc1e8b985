// Lower bounds of total exchange (all-to-all) on products and other networks: cuts, mean distances, prices.

#include <dcube/bounds.hpp>

#include "base/numbers.hpp"
#include "base/sizes.hpp"
#include "collectives/bounds/any_network.hpp"
#include "collectives/bounds/argument.hpp"
#include "collectives/bounds/extremes.hpp"
#include "collectives/bounds/prices.hpp"
#include "collectives/bounds/searches.hpp"
#include "collectives/coordinates.hpp"

#include <dcube/link.hpp>
#include <dcube/topology.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube {

namespace {

// A lower bound of total exchange with one port, where nodes differ: the nodes with the fewest links cost nothing.

/// On larger networks the cheapest paths of all packets are not looked for.
constexpr NodeId most_nodes_with_prices = 256;

/// Nodes with the fewest links have the price 0, all others the price 1. A packet that moves over a link pays the
/// prices of both ends.
struct NodePrices {
    std::uint64_t packets;  ///< the cost of the cheapest paths of one packet for each pair of nodes
    std::uint64_t step;     ///< the most that all packets that move in one step pay
};

/// With one port every node is at most once a sender and once a receiver in a step, so together the packets that move
/// in it pay at most twice the sum of all prices. Each packet pays at least the cost of its cheapest path. So T steps
/// can be enough only if T `step` >= `packets`, whatever the algorithm does.
NodePrices node_prices(const Topology& topology)
{
    const Port fewest = topology.ports(node_with_fewest_ports(topology));
    const NodeId n = topology.nodes();
    std::vector<std::uint64_t> prices(std::size_t{2} * n);
    for (NodeId node = 0; node < n; ++node)
        prices[node] = prices[n + node] = topology.ports(node) == fewest ? 0 : 1;
    NodePrices all{0, std::reduce(prices.begin(), prices.end())};
    const std::shared_ptr<const detail::Arcs> arcs = arcs_of(topology);
    CheapestCosts cheapest(*arcs, PortModel::one, prices);
    for (NodeId from = 0; from < n; ++from) {
        const std::vector<std::uint64_t>& costs = cheapest.from(from);
        all.packets += std::reduce(costs.begin(), costs.end());
    }
    return all;
}

// Cuts of a network in two parts: what crosses one has few links to do so.

/// Networks of more nodes have too many cuts to try them all.
constexpr NodeId most_nodes_of_all_cuts = 20;

/// Two parts, and the links that lead from the one to the other.
struct TwoParts {
    std::vector<bool> inside;
    std::int64_t inner = 0;  ///< nodes inside
    std::int64_t outer = 0;
    std::int64_t links = 0;

    /// |V1| |V2| / c as a fraction that is not reduced.
    [[nodiscard]] Rational ratio() const { return links == 0 ? Rational{} : Rational{inner * outer, links}; }
};

/// A graph cut in two, one node changing sides at a time.
class Cut {
public:
    explicit Cut(const Topology& graph)
        : graph_(graph), parts_{std::vector<bool>(graph.nodes()), 0, graph.nodes(), 0}, growth_(graph.nodes())
    {
        for (NodeId node = 0; node < graph.nodes(); ++node)
            growth_[node] = graph.ports(node);
    }

    void flip(NodeId node)
    {
        std::vector<bool>& inside = parts_.inside;
        parts_.links += growth_[node];
        growth_[node] = -growth_[node];
        parts_.inner += inside[node] ? -1 : 1;
        parts_.outer += inside[node] ? 1 : -1;
        inside[node] = !inside[node];
        for (Port port = 0; port < graph_.ports(node); ++port) {
            const NodeId other = graph_.neighbour(node, port);
            growth_[other] += inside[other] == inside[node] ? 2 : -2;
        }
    }

    [[nodiscard]] const TwoParts& parts() const { return parts_; }
    [[nodiscard]] Rational ratio() const { return parts_.ratio(); }

    /// The best of the nodes that have not moved, on the larger side or, if there are none, on the other.
    [[nodiscard]] NodeId cheapest_move(const std::vector<bool>& moved) const
    {
        const bool from = parts_.inner > parts_.outer;
        std::pair<bool, std::int64_t> least{true, std::numeric_limits<std::int64_t>::max()};
        NodeId best = 0;
        for (NodeId node = 0; node < graph_.nodes(); ++node)
            if (const std::pair here{parts_.inside[node] != from, growth_[node]}; !moved[node] && here < least) {
                least = here;
                best = node;
            }
        return best;
    }

private:
    const Topology& graph_;
    TwoParts parts_;
    std::vector<std::int64_t> growth_;  // by node: how many links the cut gains if it changes sides
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

/// The cut with the largest ratio of all cuts of the network, which has at most most_nodes_of_all_cuts nodes.
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

/// The cut with the largest ratio; for graphs with many nodes, and no formula, the best that was found.
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

bool has_unique_routes(const Topology& topology)
{
    return topology.directed_links() == 2 * (std::uint64_t{topology.nodes()} - 1);
}

/// In a tree: the most packets that a node sends, its own and those that go through it from one of its branches to
/// another, and that node.
std::pair<std::uint64_t, NodeId> busiest_of_tree(const Topology& tree)
{
    const std::uint64_t n = tree.nodes();
    std::vector<NodeId> farthest_first(allocatable(n));
    std::iota(farthest_first.begin(), farthest_first.end(), NodeId{0});
    std::ranges::sort(farthest_first, std::greater{}, [&](NodeId node) { return tree.distance(0, node); });
    std::vector<std::uint64_t> size(allocatable(n), 1);     // by node, with all nodes behind it, seen from node 0
    std::vector<std::uint64_t> squares(allocatable(n), 0);  // the squares of the branches' sizes behind it
    std::pair<std::uint64_t, NodeId> most{0, 0};
    for (const NodeId node : farthest_first) {
        const std::uint64_t rest = n - size[node];
        const std::uint64_t through = (n - 1) * (n - 1) - squares[node] - rest * rest;
        most = std::max(most, {n - 1 + through, node});
        for (Port port = 0; port < tree.ports(node); ++port)
            if (const NodeId nearer = tree.neighbour(node, port); tree.distance(0, nearer) < tree.distance(0, node)) {
                size[nearer] += size[node];
                squares[nearer] += size[node] * size[node];
            }
    }
    return most;
}

/// For one packet per pair of nodes; S is the sum of all distances (docs/optimality.md, L1 to L7).
///   one port    L1      S / N
///               L2      S / nu, where at most nu packets can move at once
///               L3      the packets that the busiest node of a tree sends
///               prices  the cost of all cheapest paths / the most a step can pay
///   all ports   L4      max |V1| |V2| / c over all cuts in V1 and V2, with c links in each direction
///               L5      the same over cuts of a factor of n nodes, which has N / n copies: (N / n) |A| |B| / c
///               L6      S / all links, or the hops along one factor over its links
///   both        L7      the diameter
class ExchangeArguments {
public:
    explicit ExchangeArguments(const Topology& topology) : topology_(topology), n_(topology.nodes()) {}

    std::vector<Argument> one_port()
    {
        add(hops("L1", n_, "the sum of all distances, N moves a step"));
        const std::uint64_t moves = simultaneous_moves(topology_);
        add(hops("L2", moves,
                 moves == n_ ? "the sum of all distances; all nodes can send and receive at once"
                             : fmt::format("the sum of all distances; at most {} packets can move at once", moves)));
        if (has_unique_routes(topology_)) {
            const auto [sends, node] = busiest_of_tree(topology_);
            add({.kind = Kind::passing,
                 .name = "L3",
                 .reason = "all packets that the busiest node of a tree sends, one per step",
                 .factors = {sends},
                 .node = node});
        }
        add_prices();
        add(diameter_argument(topology_, "L7"));
        return std::move(arguments_);
    }

    std::vector<Argument> all_ports()
    {
        add_factors_cuts();
        if (topology_.nodes() <= most_nodes_of_all_cuts)
            add_cut("L4", best_of_all_cuts(topology_), std::nullopt, "the packets that cross a cut, over its links");
        add_links();
        add(diameter_argument(topology_, "L7"));
        return std::move(arguments_);
    }

private:
    using Kind = Argument::Kind;

    void add(Argument argument) { arguments_.push_back(std::move(argument)); }

    [[nodiscard]] Argument hops(std::string_view name, std::uint64_t per_step, std::string reason) const
    {
        const std::uint64_t all = topology_.sum_of_statuses();
        return {.kind = Kind::hops,
                .name = name,
                .reason = std::move(reason),
                .factors = topology_.symmetric() ? std::vector{n_, all / n_} : std::vector{all},
                .per_step = per_step};
    }

    /// If all nodes have equally many links, prices give no more than L1.
    void add_prices()
    {
        if (topology_.symmetric() || n_ > most_nodes_with_prices)
            return;
        const NodePrices prices = node_prices(topology_);
        if (prices.step > 0)
            add({.kind = Kind::priced,
                 .name = "prices",
                 .reason =
                     fmt::format("the nodes with the fewest links cost nothing, the others 1: all packets pay {}, "
                                 "and {} a step at most",
                                 grouped(prices.packets), grouped(prices.step)),
                 .factors = {prices.packets},
                 .per_step = prices.step,
                 .prices = Argument::Prices::ends_of_links});
    }

    void add_cut(std::string_view name, TwoParts parts, std::optional<unsigned> factor, std::string reason)
    {
        const std::uint64_t copies = factor ? n_ / topology_.factor(*factor).nodes() : 1;
        const auto all = [&](std::int64_t one) { return copies * static_cast<std::uint64_t>(one); };
        add({.kind = Kind::cut,
             .name = name,
             .reason = std::move(reason),
             .factors = {all(parts.inner), all(parts.outer)},
             .per_step = all(parts.links),
             .cut = {factor, std::move(parts.inside)}});
    }

    [[nodiscard]] std::string named(unsigned i) const
    {
        return topology_.is_hypercube() ? "a dimension" : detail::factor_words(topology_, i);
    }

    /// One of a hypercube is like the other.
    [[nodiscard]] unsigned different_factors() const { return topology_.is_hypercube() ? 1 : topology_.dimension(); }

    void add_factors_cuts()
    {
        std::vector<Argument> best;
        for (unsigned i = 0; i < different_factors(); ++i) {
            add_cut("L5", best_cut(topology_.factor(i)), i,
                    topology_.dimension() > 1 || topology_.is_hypercube()
                        ? fmt::format("the packets that must cross {}{}, over its links",
                                      topology_.is_hypercube() ? "" : "the middle of ", named(i))
                        : "the packets that must cross a cut, over its links");
            if (best.empty() || arguments_.back().ratio() > best.back().ratio())
                best = {arguments_.back()};
        }
        arguments_ = std::move(best);
    }

    void add_links()
    {
        Argument most = hops("L6", topology_.directed_links(), "the sum of all distances, over all links");
        for (unsigned i = 0; i < different_factors(); ++i) {
            const Graph& factor = topology_.factor(i);
            const std::uint64_t copies = n_ / factor.nodes();
            std::uint64_t statuses = 0;
            for (NodeId node = 0; node < factor.nodes(); ++node)
                statuses += factor.status(node);
            Argument here{.kind = Kind::hops,
                          .name = "L6",
                          .reason = fmt::format("the sum of the distances along {}, over its links", named(i)),
                          .factors = {copies, copies, statuses},
                          .per_step = copies * factor.directed_links()};
            here.cut.factor = i;
            if (here.ratio() > most.ratio())
                most = std::move(here);
        }
        add(std::move(most));
    }

    const Topology& topology_;
    std::uint64_t n_;
    std::vector<Argument> arguments_;
};

}  // namespace

Rational cut_ratio(const Graph& graph)
{
    const Rational ratio = best_cut(graph).ratio();
    const std::int64_t common = std::gcd(ratio.numerator, ratio.denominator);
    return {ratio.numerator / common, ratio.denominator / common};
}

std::vector<Argument> exchange_arguments(const Topology& topology, PortModel ports, std::uint64_t packets)
{
    if (topology.nodes() == 1 || !topology.is_uniform())
        return {};
    if (topology.lacks_nodes())
        return named(exchange_arguments(topology.of_members(), ports, packets), topology);
    if (const Recognition* const known = topology.recognised())
        return named(exchange_arguments(known->called, ports, packets), *known);
    std::vector<Argument> all =
        ports == PortModel::one ? ExchangeArguments(topology).one_port() : ExchangeArguments(topology).all_ports();
    if (std::optional<Argument> prices = exchange_prices(topology, ports, packets))
        all.push_back(*std::move(prices));
    return all;
}

std::vector<ExchangeBound> exchange_bounds(const Topology& topology, PortModel ports)
{
    std::vector<ExchangeBound> bounds;
    for (const Argument& one : exchange_arguments(topology, ports)) {
        const detail::Exact value = one.kind == Argument::Kind::distance ? detail::Exact(one.far) : one.ratio();
        bounds.push_back({one.name, detail::to_rational(value), one.value(), one.reason});
    }
    std::ranges::sort(bounds, {}, &ExchangeBound::name);
    return bounds;
}

}  // namespace dcube
