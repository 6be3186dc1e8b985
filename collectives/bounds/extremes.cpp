#include "collectives/bounds/extremes.hpp"

namespace dcube {

NodeId farthest_from(const Topology& topology, NodeId node)
{
    NodeId farthest = 0;
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        const Graph& factor = topology.factor(i);
        const NodeId digit = topology.digit(node, i);
        NodeId best = digit;
        for (NodeId other = 0; other < factor.nodes(); ++other)
            if (factor.distance(digit, other) > factor.distance(digit, best))
                best = other;
        farthest += best * topology.stride(i);
    }
    return farthest;
}

std::pair<NodeId, NodeId> farthest_pair(const Topology& topology)
{
    NodeId first = 0;
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        const Topology factor = Topology::product({topology.factor(i)});
        NodeId digit = 0;
        while (factor.distance(digit, farthest_from(factor, digit)) < factor.diameter())
            ++digit;
        first += digit * topology.stride(i);
    }
    return {first, farthest_from(topology, first)};
}

NodeId node_with_fewest_ports(const Topology& topology)
{
    NodeId fewest = 0;
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        const Graph& factor = topology.factor(i);
        NodeId digit = 0;
        for (NodeId node = 1; node < factor.nodes(); ++node)
            if (factor.ports(node) < factor.ports(digit))
                digit = node;
        fewest += digit * topology.stride(i);
    }
    return fewest;
}

}  // namespace dcube
