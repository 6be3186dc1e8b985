#include "algorithms/dimakopoulos/transit.hpp"

#include <algorithm>
#include <numeric>

namespace dcube::detail {

ShortestPaths::ShortestPaths(const Topology& topology)
    : topology_(topology), nodes_(topology.nodes()), ports_(topology), transit_(nodes_ * nodes_ * nodes_)
{
    std::vector<NodeId> by_distance(nodes_);
    for (NodeId target = 0; target < nodes_; ++target) {
        std::iota(by_distance.begin(), by_distance.end(), NodeId{0});
        std::ranges::stable_sort(by_distance, {}, [&](NodeId node) { return topology.distance(node, target); });
        for (const NodeId node : by_distance)
            set_transit(node, target);
    }
}

void ShortestPaths::set_transit(NodeId from, NodeId target)
{
    std::int32_t* const sum = &transit_[index(from, target) * nodes_];
    for (const Port port : ports(from, target)) {
        const NodeId to = topology_.neighbour(from, port);
        if (to != target)
            sum[to] += unit;
        for (std::size_t node = 0; node < nodes_; ++node)
            sum[node] += transit(to, target)[node];
    }
    for (std::size_t node = 0; from != target && node < nodes_; ++node)
        sum[node] /= static_cast<std::int32_t>(ports(from, target).size());
}

}  // namespace dcube::detail
