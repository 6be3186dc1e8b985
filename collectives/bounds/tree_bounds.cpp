// The cost of spanning trees if links, or nodes, have prices (docs/optimality.md, priced-trees and priced-sends).
// All-reduce: T >= m tree / Y, for the price of the cheapest tree and the sum Y of all prices. One port, broadcast: T
// >= m (tree - Y + y(root)) / Y, all-gather: T >= m (N (tree - Y) + Y) / Y, if nodes have prices y.

#include "collectives/bounds/prices.hpp"
#include "collectives/bounds/searches.hpp"

#include "base/bytes.hpp"
#include "base/memo.hpp"
#include "base/numbers.hpp"
#include "collectives/graphs/network_bytes.hpp"
#include "collectives/graphs/spanning_trees.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube {

namespace {

using detail::ArcId;

// About a second.
constexpr std::uint64_t most_arcs_with_trees = 1 << 14;

struct PricedTrees {
    std::vector<WholePrices> all;  // `paid`: by a spanning tree; `step`: what all links, or nodes, cost
    std::vector<double> prices;
};

std::vector<double> tree_prices(const SearchCase& one)
{
    constexpr std::uint64_t operations_an_arc = 50'000;
    const auto key = [&] {
        detail::ByteWriter bytes;
        write_network(bytes, one.topology);
        bytes.number(static_cast<std::uint64_t>(one.ports));
        return bytes.take();
    };
    std::vector<double> prices =
        kept_prices("tree-prices", operations_an_arc * one.arcs.size(), key,
                    one.ports == PortModel::all ? std::size_t{one.arcs.size()} : std::size_t{one.arcs.nodes()},
                    [&] { return detail::partition_bound(one.arcs, one.ports).weights; });
    for (ArcId arc = 0; arc < prices.size() && one.ports == PortModel::all; ++arc)  // alike both ways
        prices[arc] = prices[std::min(arc, one.arcs.opposite(arc))];
    return prices;
}

std::shared_ptr<const PricedTrees> trees_of(const SearchCase& one)
{
    static detail::Memo<std::pair<Topology, PortModel>, PricedTrees> memo(16);
    return memo.get({one.topology, one.ports}, [&] {
        PricedTrees trees{{}, tree_prices(one)};
        trees.all = whole_prices(trees.prices, [&](const std::vector<std::uint64_t>& prices) {
            const std::uint64_t all = std::reduce(prices.begin(), prices.end());
            return WholePrices{.paid = detail::least_tree(one.arcs, one.ports, prices),
                               .step = one.ports == PortModel::all ? all / 2 : all};
        });
        return trees;
    });
}

// Twice the tree is what a block needs; a packet on every arc costs twice what all links do, and nodes can pay theirs
// twice in a step, as senders and as receivers.
Argument sums(const SearchCase& one, const WholePrices& prices)
{
    return {.kind = Argument::Kind::priced,
            .name = "priced-trees",
            .reason =
                fmt::format("with prices of {} from 0 to {} every block pays the cheapest spanning tree twice, 2 x "
                            "{}, and a step can pay 2 x {}",
                            one.ports == PortModel::all ? "links" : "nodes", grouped(prices.dearest),
                            grouped(prices.paid), grouped(prices.step)),
            .factors = {2, prices.paid, one.problem.packets},
            .per_step = 2 * prices.step,
            .prices = Argument::Prices::best_of_trees,
            .dearest = prices.dearest};
}

// The unit that is sent m times.
std::string_view unit_of(const Problem& problem)
{
    if (has_root(problem.collective))
        return is_reduction(problem.collective) ? "block" : "packet";
    return is_reduction(problem.collective) ? "block of every node" : "packet of every node";
}

// Sends only: a node in a tree with k links sends over k - 1 of them, the tree's root over all.
Argument copies(const SearchCase& one, const WholePrices& prices)
{
    const bool receives = is_reduction(one.problem.collective);
    return {.kind = Argument::Kind::priced,
            .name = "priced-sends",
            .reason =
                fmt::format("with prices of nodes from 0 to {} one {} costs those who {} it {} at least, and a step "
                            "can pay {}",
                            grouped(prices.dearest), unit_of(one.problem), receives ? "receive" : "send",
                            grouped(prices.paid), grouped(prices.step)),
            .factors = {prices.paid, one.problem.packets},
            .per_step = prices.step,
            .node = one.problem.root,
            .prices = Argument::Prices::best_of_sends,
            .dearest = prices.dearest};
}

// The prices of the sends along the priced trees: of all roots together, or of one.
std::vector<WholePrices> prices_of_sends(const SearchCase& one, const PricedTrees& trees)
{
    const std::uint64_t nodes = one.arcs.members().size();
    std::vector<WholePrices> all = trees.all;
    for (WholePrices& prices : all) {
        const std::uint64_t over = prices.paid - prices.step;  // every node has a link, so a tree costs all nodes
        prices.paid = has_root(one.problem.collective)
                          ? over + rounded_prices(trees.prices, prices.dearest)[one.problem.root]
                          : nodes * over + prices.step;
    }
    return all;
}

}  // namespace

void search_trees(const SearchCase& one, LargestArgument& most)
{
    // If all nodes are alike, equal prices are best: that is the count of transmissions.
    if (one.topology.symmetric() || one.arcs.size() > most_arcs_with_trees)
        return;
    const std::uint64_t packets = one.problem.packets;
    if (one.ports == PortModel::all && most.value() >= packets)
        return;  // a tree costs no more than all links
    const std::shared_ptr<const PricedTrees> trees = trees_of(one);
    if (trees->all.empty())
        return;
    if (pattern_of(one.problem.collective) == Pattern::sums_to_all) {
        most.add(sums(one, simplest_of_best(trees->all, packets)));
    } else {
        const std::vector<WholePrices> sends = prices_of_sends(one, *trees);
        most.add(copies(one, simplest_of_best(sends, packets)));
    }
}

}  // namespace dcube
