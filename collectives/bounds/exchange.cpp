#include <dcube/bounds.hpp>

#include "collectives/bounds/argument.hpp"
#include "collectives/bounds/cuts.hpp"
#include "collectives/bounds/extremes.hpp"
#include "collectives/bounds/members.hpp"
#include "collectives/bounds/node_prices.hpp"
#include "collectives/bounds/searches.hpp"

#include "base/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube {

namespace {

bool has_unique_routes(const Topology& topology)
{
    return topology.directed_links() == 2 * (std::uint64_t{topology.nodes()} - 1);
}

/// In a tree: the most that a node sends, its own packets and those that go through it from one of its branches to
/// another, and which node that is.
std::pair<std::uint64_t, NodeId> busiest_of_tree(const Topology& tree)
{
    const std::uint64_t n = tree.nodes();
    std::vector<NodeId> farthest_first(n);
    std::iota(farthest_first.begin(), farthest_first.end(), NodeId{0});
    std::ranges::sort(farthest_first, std::greater{}, [&](NodeId node) { return tree.distance(0, node); });
    std::vector<std::uint64_t> size(n, 1);     // of each node with all that lies behind it, seen from node 0
    std::vector<std::uint64_t> squares(n, 0);  // of the sizes of the branches behind it
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
                 .reason = "what the busiest node of a tree sends, one packet a step",
                 .factors = {sends},
                 .node = node});
        }
        add_prices();
        add_diameter();
        return std::move(arguments_);
    }

    std::vector<Argument> all_ports()
    {
        add_factors_cuts();
        if (topology_.nodes() <= most_nodes_of_all_cuts)
            add_cut("L4", best_of_all_cuts(topology_), std::nullopt, "the packets that cross a cut, over its links");
        add_links();
        add_diameter();
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

    /// Where all nodes have as many links as the others, prices say no more than L1.
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
                 .per_step = prices.step});
    }

    void add_diameter()
    {
        const auto [from, to] = farthest_pair(topology_);
        add({.kind = Kind::distance,
             .name = "L7",
             .reason = "the diameter",
             .far = topology_.diameter(),
             .node = from,
             .other = to});
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
        return topology_.is_hypercube() ? "a dimension"
                                        : fmt::format("factor {}, {}", i + 1, topology_.factor(i).name());
    }

    /// One of a hypercube is like the other.
    [[nodiscard]] unsigned different_factors() const { return topology_.is_hypercube() ? 1 : topology_.dimension(); }

    void add_factors_cuts()
    {
        std::vector<Argument> best;
        for (unsigned i = 0; i < different_factors(); ++i) {
            add_cut("L5", best_cut(topology_.factor(i)), i,
                    fmt::format("the packets that cross a cut of all copies of {}, over its links", named(i)));
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

std::vector<Argument> exchange_arguments(const Topology& topology, PortModel ports, std::uint64_t packets)
{
    if (topology.nodes() == 1)
        return {};
    if (topology.lacks_nodes())
        return named(exchange_arguments(topology.of_members(), ports, packets), topology);
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
