#include "algorithms/beyond/any_network/priced_routes.hpp"

#include "base/planning.hpp"
#include "base/sizes.hpp"
#include "collectives/graphs/cheapest_paths.hpp"

#include <dcube/random.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>
#include <utility>

namespace dcube::detail {

RouteLoad::RouteLoad(const Arcs& arcs, PortModel ports)
    : arcs_(&arcs), ports_(ports), load_(ports == PortModel::all ? arcs.size() : std::size_t{2} * arcs.nodes())
{
}

template <class Change>
void RouteLoad::change(std::span<const ArcId> route, const Change& by)
{
    for (const ArcId arc : route) {
        if (ports_ == PortModel::all) {
            by(load_[arc]);
        } else {
            by(load_[arcs_->from(arc)]);
            by(load_[std::size_t{arcs_->nodes()} + arcs_->to(arc)]);
        }
    }
}

void RouteLoad::add(std::span<const ArcId> route)
{
    change(route, [](std::uint32_t& load) { ++load; });
}

void RouteLoad::take(std::span<const ArcId> route)
{
    change(route, [](std::uint32_t& load) { --load; });
}

std::uint32_t RouteLoad::top() const
{
    return load_.empty() ? 0 : std::ranges::max(load_);
}

namespace {

// The cost of one more packet at a given load: e^(beta (load / top - 1)), and a little for the hop itself. Beta and the
// cost of a hop are in thousandths.
class RoutePenalties {
public:
    RoutePenalties(std::uint32_t top, std::int64_t beta, std::uint64_t hop_cost)
    {
        constexpr int bits = 20;
        const CheapestPaths::Cost of_a_hop = (hop_cost << bits) / 1000;
        constexpr std::int64_t most_growth = 20 * exponent_unit;
        for (std::int64_t load = 0; load <= std::int64_t{2} * top + 1; ++load) {
            const std::int64_t exponent =
                (load - top) * beta / top * exponent_unit / 1000 * natural_exponent / natural_exponent_unit;
            penalties_.push_back(power_of_two(std::min(exponent, most_growth), bits) + of_a_hop);
        }
    }

    [[nodiscard]] CheapestPaths::Cost of(std::uint32_t load) const
    {
        return penalties_[std::min<std::size_t>(load, penalties_.size() - 1)];
    }

private:
    std::vector<CheapestPaths::Cost> penalties_;
};

// Single packets where they are few, parts of a node's packets where they are many.
std::uint64_t searches_of_a_round(NodeId nodes, std::uint64_t arcs)
{
    constexpr std::uint64_t most_looks = 10'000'000;
    return std::max<std::uint64_t>(1, most_looks / (arcs + nodes));
}

unsigned routing_rounds(NodeId nodes)
{
    return nodes <= 200 ? 20 : nodes <= 500 ? 10 : 3;
}

class Router {
public:
    Router(const Arcs& arcs, PortModel ports, std::span<const Message> messages)
        : arcs_(arcs), ports_(ports), messages_(messages), load_(arcs, ports), penalties_(1, 2000, 1),
          searches_(searches_of_a_round(arcs.nodes(), arcs.size()))
    {
        std::vector<std::vector<std::uint32_t>> of_source(arcs.nodes());
        for (std::uint32_t message = 0; message < messages.size(); ++message)
            for (std::uint64_t packet = 0; packet < messages[message].packets; ++packet) {
                of_source[messages[message].from].push_back(static_cast<std::uint32_t>(routes_.size()));
                routes_.push_back({message, {}});
            }
        for (NodeId node = 0; node < arcs.nodes(); ++node)
            if (!of_source[node].empty())
                sources_.push_back({CheapestPaths(arcs, node), std::move(of_source[node])});
    }

    Routes find(std::uint64_t bound, std::uint64_t hop_cost)
    {
        Routes best;
        const unsigned rounds = routing_rounds(arcs_.nodes());
        for (unsigned round = 0; round < rounds && (round == 0 || best.top > bound); ++round) {
            progress_ = static_cast<double>(round) / rounds;
            planning("routes", progress_);
            const std::uint32_t aim = std::max<std::uint32_t>({1, load_.top(), static_cast<std::uint32_t>(bound)});
            penalties_ = RoutePenalties(aim, beta(aim, round, rounds - 1), hop_cost);
            route_all();
            const std::uint32_t top = load_.top();
            if (round == 0 || top < best.top)
                best = {top, routes_};
        }
        return best;
    }

private:
    struct Source {
        CheapestPaths paths;
        std::vector<std::uint32_t> packets;  // numbers of routes
    };

    // Beta grows from 2 to between 2 and 4 times the top load, where one packet more or less makes all the difference.
    // In thousandths.
    static std::int64_t beta(std::uint32_t top, unsigned round, unsigned last)
    {
        const std::int64_t exponent = exponent_unit * std::bit_width(top) * round / last;
        return static_cast<std::int64_t>(2000 * power_of_two(exponent, 16) >> 16);
    }

    void route_all()
    {
        random_.shuffle(sources_);
        std::size_t done = 0;
        for (Source& source : sources_) {
            const std::size_t parts =
                std::clamp<std::size_t>(as_size(searches_ / sources_.size()), 1, source.packets.size());
            random_.shuffle(source.packets);
            for (std::size_t part = 0; part < parts; ++part)
                route(source.paths,
                      std::span(source.packets)
                          .subspan(source.packets.size() * part / parts,
                                   source.packets.size() * (part + 1) / parts - source.packets.size() * part / parts));
            if (++done % 16 == 0)
                planning("routes", progress_);
        }
    }

    void route(CheapestPaths& paths, std::span<const std::uint32_t> packets)
    {
        for (const std::uint32_t packet : packets)
            load_.take(routes_[packet].arcs);
        search(paths);
        for (const std::uint32_t packet : packets) {
            Route& route = routes_[packet];
            paths.path_to(messages_[route.message].to, route.arcs);
            load_.add(route.arcs);
        }
    }

    void search(CheapestPaths& paths)
    {
        const std::vector<std::uint32_t>& load = load_.of_all();
        if (ports_ == PortModel::all) {
            paths.search([&](NodeId, ArcId arc, NodeId) { return penalties_.of(load[arc]); });
            return;
        }
        const std::span<const std::uint32_t> receiving = std::span(load).subspan(arcs_.nodes());
        paths.search(
            [&](NodeId from, ArcId, NodeId to) { return penalties_.of(load[from]) + penalties_.of(receiving[to]); });
    }

    const Arcs& arcs_;
    PortModel ports_;
    std::span<const Message> messages_;
    RouteLoad load_;
    RoutePenalties penalties_;
    std::vector<Route> routes_;
    std::vector<Source> sources_;
    std::uint64_t searches_;  // per round
    double progress_ = 0;
    Random random_{5};
};

constexpr unsigned shortest_route_rounds = 4;

// A packet's cheapest path among the shortest ones is found from node to node, in the order of their distance from the
// sender; only nodes on shortest paths are looked at.
class ShortestRouter {
public:
    ShortestRouter(const Arcs& arcs, PortModel ports, std::span<const Message> messages)
        : arcs_(arcs), ports_(ports), messages_(messages), load_(arcs, ports), penalties_(1, 1000, 0),
          to_go_(std::size_t{arcs.nodes()} * arcs.nodes()), cost_(arcs.nodes(), unreached), came_by_(arcs.nodes())
    {
        for (std::uint32_t message = 0; message < messages.size(); ++message)
            for (std::uint64_t packet = 0; packet < messages[message].packets; ++packet)
                routes_.push_back({message, {}});
        for (const NodeId target : arcs.members())
            std::ranges::copy(hops_from(arcs, target), &to_go_[std::size_t{target} * arcs.nodes()]);
    }

    // Prices grow faster with the load from round to round: they first spread packets, then shift a few.
    Routes find(std::uint64_t bound)
    {
        Routes best;
        std::vector<std::uint32_t> order(routes_.size());
        std::iota(order.begin(), order.end(), std::uint32_t{0});
        for (unsigned round = 0; round < shortest_route_rounds && (round == 0 || best.top > bound); ++round) {
            const std::uint32_t aim = std::max<std::uint32_t>({1, load_.top(), static_cast<std::uint32_t>(bound)});
            penalties_ = RoutePenalties(aim, std::int64_t{12000} << round, 0);
            random_.shuffle(order);
            for (std::size_t i = 0; i < order.size(); ++i) {
                if (i % 4096 == 0)
                    planning("routes", (round + static_cast<double>(i) / static_cast<double>(order.size())) /
                                           shortest_route_rounds);
                route(routes_[order[i]]);
            }
            if (const std::uint32_t top = load_.top(); round == 0 || top < best.top)
                best = {top, routes_};
        }
        return best;
    }

private:
    using Cost = CheapestPaths::Cost;
    static constexpr Cost unreached = ~Cost{0};

    void route(Route& route)
    {
        load_.take(route.arcs);
        const Message& message = messages_[route.message];
        search(message);
        route.arcs.clear();
        for (NodeId at = message.to; at != message.from; at = arcs_.from(route.arcs.back()))
            route.arcs.push_back(came_by_[at]);
        std::ranges::reverse(route.arcs);
        load_.add(route.arcs);
        for (const NodeId node : seen_)
            cost_[node] = unreached;
    }

    void search(const Message& message)
    {
        const std::uint32_t* const to_go = &to_go_[std::size_t{message.to} * arcs_.nodes()];
        cost_[message.from] = 0;
        seen_.assign(1, message.from);
        for (std::size_t i = 0; i < seen_.size(); ++i) {
            const NodeId node = seen_[i];
            for_each_out(arcs_, node, [&](ArcId arc) {
                const NodeId next = arcs_.to(arc);
                if (to_go[next] >= to_go[node])
                    return;
                if (cost_[next] == unreached)
                    seen_.push_back(next);
                if (const Cost cost = cost_[node] + cost_of(node, arc, next); cost < cost_[next]) {
                    cost_[next] = cost;
                    came_by_[next] = arc;
                }
            });
        }
    }

    [[nodiscard]] Cost cost_of(NodeId from, ArcId arc, NodeId to) const
    {
        const std::vector<std::uint32_t>& load = load_.of_all();
        if (ports_ == PortModel::all)
            return penalties_.of(load[arc]);
        return penalties_.of(load[from]) + penalties_.of(load[std::size_t{arcs_.nodes()} + to]);
    }

    const Arcs& arcs_;
    PortModel ports_;
    std::span<const Message> messages_;
    RouteLoad load_;
    RoutePenalties penalties_;
    std::vector<Route> routes_;
    std::vector<std::uint32_t> to_go_;  // by target and node
    std::vector<Cost> cost_;
    std::vector<ArcId> came_by_;
    std::vector<NodeId> seen_;
    Random random_{5};
};

}  // namespace

Routes priced_routes(const Arcs& arcs, PortModel ports, std::span<const Message> messages, std::uint64_t bound,
                     std::uint64_t hop_cost)
{
    return Router(arcs, ports, messages).find(bound, hop_cost);
}

std::uint64_t priced_routes_work(NodeId nodes, std::uint64_t arcs, std::uint64_t packets)
{
    constexpr std::uint64_t looks = 3;  // at every arc and node
    constexpr std::uint64_t of_a_path = 30;
    const std::uint64_t searches = std::min(packets, std::max<std::uint64_t>(searches_of_a_round(nodes, arcs), nodes));
    return routing_rounds(nodes) * (searches * looks * (arcs + nodes) + packets * of_a_path);
}

Routes shortest_priced_routes(const Arcs& arcs, PortModel ports, std::span<const Message> messages, std::uint64_t bound)
{
    return ShortestRouter(arcs, ports, messages).find(bound);
}

std::uint64_t shortest_priced_routes_work(NodeId nodes, std::uint64_t arcs, std::uint64_t packets, std::uint64_t hops)
{
    // Half of the nodes of a subcube on the way, or of a mesh, or all nodes.
    const std::uint64_t distance = std::min<std::uint64_t>(hops / std::max<std::uint64_t>(packets, 1), 62);
    const std::uint64_t looks = std::min(std::uint64_t{nodes}, std::uint64_t{1} << distance) * (arcs / nodes);
    return shortest_route_rounds * packets * looks;
}

bool are_many_packets(NodeId nodes, std::uint64_t arcs, std::uint64_t packets)
{
    return packets > searches_of_a_round(nodes, arcs);
}

}  // namespace dcube::detail
