#include "collectives/graphs/arcs.hpp"

#include "base/sizes.hpp"

namespace dcube::detail {

Arcs::Arcs(const Topology& topology) : first_{0}
{
    to_.reserve(allocatable(topology.directed_links()));
    opposite_.reserve(allocatable(topology.directed_links()));
    for (NodeId node = 0; node < topology.nodes(); ++node) {
        const Port ports = topology.ports(node);
        for (Port port = 0; port < ports; ++port) {
            const NodeId other = topology.neighbour(node, port);
            to_.push_back(other);
            opposite_.push_back(static_cast<ArcId>(topology.link(other, topology.arrival_port(node, port))));
        }
        first_.push_back(static_cast<ArcId>(to_.size()));
        if (ports > 0 || topology.nodes() == 1)
            members_.push_back(node);
    }
}

std::vector<std::uint32_t> hops_from(const Arcs& arcs, std::span<const NodeId> starts)
{
    std::vector<std::uint32_t> hops(arcs.nodes(), unreachable);
    std::vector<NodeId> reached(starts.begin(), starts.end());
    for (const NodeId node : starts)
        hops[node] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i)
        for_each_out(arcs, reached[i], [&](ArcId arc) {
            if (hops[arcs.to(arc)] == unreachable) {
                hops[arcs.to(arc)] = hops[reached[i]] + 1;
                reached.push_back(arcs.to(arc));
            }
        });
    return hops;
}

}  // namespace dcube::detail
