#include "tests/support/networks.hpp"

#include <algorithm>
#include <random>
#include <string>

namespace dcube::test {

Graph random_graph(unsigned seed, NodeId nodes)
{
    std::mt19937 random(seed);
    std::vector<std::pair<NodeId, NodeId>> edges;
    const auto add = [&](NodeId a, NodeId b) {
        const std::pair<NodeId, NodeId> edge{std::min(a, b), std::max(a, b)};
        if (a != b && std::ranges::find(edges, edge) == edges.end())
            edges.push_back(edge);
    };
    for (NodeId node = 1; node < nodes; ++node)
        add(node, static_cast<NodeId>(random() % node));  // a tree
    for (NodeId extra = 0; extra < nodes / 2; ++extra)
        add(static_cast<NodeId>(random() % nodes), static_cast<NodeId>(random() % nodes));
    return Graph::from_edges("random-" + std::to_string(seed), edges);
}

Topology random_product(unsigned seed)
{
    constexpr NodeId most_nodes = 80;
    std::mt19937 random(seed);
    std::vector<Graph> factors;
    NodeId nodes = 1;
    for (unsigned i = 1 + seed % 3; i > 0; --i) {
        const NodeId size = std::min<NodeId>(2 + static_cast<NodeId>(random() % 6), most_nodes / nodes);
        if (size < 2)
            break;
        factors.push_back(random_graph(static_cast<unsigned>(random()), size));
        nodes *= size;
    }
    return Topology::product(std::move(factors));
}

}  // namespace dcube::test
