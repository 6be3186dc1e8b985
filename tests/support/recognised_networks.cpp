#include "tests/support/recognised_networks.hpp"

#include <dcube/random.hpp>

#include <fmt/format.h>

#include <numeric>
#include <utility>
#include <vector>

namespace dcube::test {

Topology from_edges_of(const char* network, std::uint64_t seed)
{
    const Topology topology = Topology::parse(network);
    std::vector<NodeId> order(topology.nodes());
    std::iota(order.begin(), order.end(), NodeId{0});
    if (seed != 0)
        Random(seed).shuffle(order);
    std::vector<std::pair<NodeId, NodeId>> edges;
    for (NodeId node = 0; node < topology.nodes(); ++node)
        for (Port port = 0; port < topology.ports(node); ++port)
            if (const NodeId far = topology.neighbour(node, port); node < far)
                edges.emplace_back(order[node], order[far]);
    const std::string name = fmt::format("{}, order {}", network, seed);
    return Topology::product({Graph::from_edges(name, edges)}, name);
}

}  // namespace dcube::test
