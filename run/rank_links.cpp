#include "run/rank_links.hpp"

#include <dcube/error.hpp>
#include <dcube/world.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace dcube {

namespace {

// Links looked at in all orders of the factors together.
constexpr std::uint64_t most_links_looked_at = std::uint64_t{1} << 28;

using Order = std::vector<unsigned>;  // a factor by its place in the given order; of equal ones always the first

std::vector<Graph> in_order(const Topology& topology, const Order& order)
{
    std::vector<Graph> factors;
    for (const unsigned place : order)
        factors.push_back(topology.factor(place));
    return factors;
}

Order given_order(const Topology& topology)
{
    Order order;
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        unsigned first = 0;
        while (topology.factor(first) != topology.factor(i))
            ++first;
        order.push_back(first);
    }
    return order;
}

// All orders but the given one; none if they are too many.
std::vector<Order> other_orders(const Topology& topology)
{
    const Order given = given_order(topology);
    std::vector<Order> all;
    Order order = given;
    std::ranges::sort(order);
    do {
        if (all.size() * topology.directed_links() > most_links_looked_at)
            return {};
        if (order != given)
            all.push_back(order);
    } while (std::ranges::next_permutation(order).found);
    return all;
}

// The name says the kind of the whole where there is one: "torus:64x8x8".
std::string name_in_order(const Topology& topology, const Order& order)
{
    const std::string name = topology.name();
    const std::string kind = name.substr(0, name.find(':') + 1);
    if (name.find('*') != std::string::npos || (kind != "torus:" && kind != "mesh:" && kind != "ghc:"))
        return {};
    std::string sizes;
    for (const unsigned place : order)
        sizes += fmt::format("{}{}", sizes.empty() ? "" : "x", topology.factor(place).nodes());
    return kind + sizes;
}

}  // namespace

Rational crossing_share(const RankLinks& links)
{
    if (links.links == 0)
        return {};
    const std::uint64_t common = std::gcd(links.crossing, links.links);
    return {static_cast<std::int64_t>(links.crossing / common), static_cast<std::int64_t>(links.links / common)};
}

RankLinks rank_links(const Topology& topology, unsigned ranks)
{
    const NodeId nodes = topology.nodes();
    if (ranks < 1 || ranks > nodes)
        throw InvalidArgument("ranks", std::to_string(ranks),
                              fmt::format("is too {} for the {} nodes of {}: 1 to {} are allowed",
                                          ranks < 1 ? "few" : "many", nodes, topology.title(), nodes));
    RankLinks all{.links = topology.directed_links()};
    std::vector<unsigned> met_by(ranks, ranks);  // the rank that has met it last
    for (unsigned rank = 0; rank < ranks; ++rank) {
        const NodeRange own = nodes_of_rank(rank, ranks, nodes);
        unsigned peers = 0;
        for (NodeId node = own.first; node < own.last; ++node)
            for (Port port = 0; port < topology.ports(node); ++port) {
                const NodeId neighbour = topology.neighbour(node, port);
                if (own.contains(neighbour))
                    continue;
                ++all.crossing;
                peers += std::exchange(met_by[rank_of_node(neighbour, ranks, nodes)], rank) != rank;
            }
        all.most_peers = std::max(all.most_peers, peers);
    }
    return all;
}

std::optional<OrderOfFactors> better_order(const Topology& topology, unsigned ranks)
{
    std::uint64_t least = rank_links(topology, ranks).crossing;
    std::optional<OrderOfFactors> best;
    for (const Order& order : other_orders(topology)) {
        const Topology other = Topology::product(in_order(topology, order), name_in_order(topology, order));
        const RankLinks links = rank_links(other, ranks);
        if (links.crossing < least) {
            least = links.crossing;
            best = {other, links};
        }
    }
    return best;
}

}  // namespace dcube
