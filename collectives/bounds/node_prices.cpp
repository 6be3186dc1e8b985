#include "collectives/bounds/node_prices.hpp"

#include "collectives/bounds/extremes.hpp"

#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace dcube {

namespace {

using Prices = std::vector<std::uint64_t>;

/// What the cheapest paths from this node to all others cost together (Dijkstra).
std::uint64_t cheapest_paths(const Topology& topology, const Prices& prices, NodeId from)
{
    using Reached = std::pair<std::uint64_t, NodeId>;
    std::vector<std::uint64_t> least(topology.nodes(), std::numeric_limits<std::uint64_t>::max());
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
    std::uint64_t together = 0;
    least[from] = 0;
    open.emplace(0, from);
    while (!open.empty()) {
        const auto [cost, node] = open.top();
        open.pop();
        if (cost > least[node])
            continue;
        together += cost;
        for (Port port = 0; port < topology.ports(node); ++port) {
            const NodeId next = topology.neighbour(node, port);
            if (const std::uint64_t there = cost + prices[node] + prices[next]; there < least[next]) {
                least[next] = there;
                open.emplace(there, next);
            }
        }
    }
    return together;
}

}  // namespace

NodePrices node_prices(const Topology& topology)
{
    const Port fewest = topology.ports(node_with_fewest_ports(topology));
    Prices prices(topology.nodes());
    NodePrices all{0, 0};
    for (NodeId node = 0; node < topology.nodes(); ++node) {
        prices[node] = topology.ports(node) == fewest ? 0 : 1;
        all.step += 2 * prices[node];
    }
    for (NodeId from = 0; from < topology.nodes(); ++from)
        all.packets += cheapest_paths(topology, prices, from);
    return all;
}

}  // namespace dcube
