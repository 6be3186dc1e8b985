// Networks whose nodes or links differ, from their sources. Hosts (or GPUs) have the first ids, switches the last.

#include "emu/fabrics.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <span>
#include <utility>
#include <vector>

namespace dcube {

namespace {

using Edges = std::vector<std::pair<NodeId, NodeId>>;

// A graph in the making.
struct Drawn {
    Edges edges{};
    Fabric fabric{};

    void link(NodeId a, NodeId b) { edges.emplace_back(a, b); }
    void link(NodeId a, NodeId b, Rational tau, Rational beta)
    {
        link(a, b);
        fabric.links.push_back({a, b, tau, beta});
    }
    void switches(NodeId first, NodeId end)
    {
        for (NodeId node = first; node < end; ++node)
            fabric.switches.push_back(node);
    }
    Graph graph(std::string name) && { return Graph::from_edges(std::move(name), edges, std::move(fabric)); }
};

void require(bool possible, std::string_view name, std::string_view expected)
{
    if (!possible)
        throw InvalidArgument(fmt::format("{} is not possible: expected {}", name, expected));
}

}  // namespace

// NVIDIA DGX-1 with eight V100: a hybrid cube mesh, in which half of the links are two NVLinks. Links and times are
// those of Azure's NDv2 in microsoft/taccl: taccl/topologies/generic.py (ndv2) and
// taccl/examples/topo/topo-ndv2-1MB.json: 0.3 us, and 23 or 46 us per MB.
Graph dgx_1()
{
    constexpr Rational beta{300, 1};
    constexpr Rational two{23, 1000};
    constexpr Rational one{46, 1000};
    constexpr std::pair<NodeId, NodeId> of_two[] = {{0, 1}, {0, 4}, {1, 3}, {2, 3}, {2, 6}, {4, 5}, {5, 7}, {6, 7}};
    constexpr std::pair<NodeId, NodeId> of_one[] = {{0, 2}, {0, 3}, {1, 2}, {1, 5}, {3, 7}, {4, 6}, {4, 7}, {5, 6}};
    Drawn drawn;
    for (const auto& [a, b] : of_two)
        drawn.link(a, b, two, beta);
    for (const auto& [a, b] : of_one)
        drawn.link(a, b, one, beta);
    return std::move(drawn).graph("dgx-1");
}

// Hosts of eight A100 round an NVSwitch each: 300 GB/s to the switch; each GPU has 25 GB/s to the other hosts, those of
// even number over one InfiniBand switch, the others over a second one (liangyuRain/ForestColl, topologies.py,
// a100_topology, without its network cards, which have one link in and one out). The start-ups from one GPU to another
// are 0.3 us in a host and 2.6 us between hosts (microsoft/taccl, taccl/examples/topo/topo-dgx2-1MB.json), half of them
// on each of the two links.
Graph dgx_a100(unsigned hosts)
{
    constexpr NodeId gpus = 8;
    const std::string name = fmt::format("dgx-a100:{}", hosts);
    require(hosts >= 1 && hosts <= 64, name, "1 to 64 hosts");
    const NodeId all = hosts * gpus;
    const NodeId infiniband = all + hosts;
    Drawn drawn;
    for (NodeId gpu = 0; gpu < all; ++gpu) {
        drawn.link(gpu, all + gpu / gpus, {1, 300}, {150, 1});
        if (hosts > 1)
            drawn.link(gpu, infiniband + gpu % 2, {1, 25}, {1300, 1});
    }
    drawn.switches(all, hosts > 1 ? infiniband + 2 : infiniband);
    return std::move(drawn).graph(name);
}

// Al-Fares, Loukissas & Vahdat 2008, section 3.1: k pods of k/2 edge and k/2 aggregation switches of k ports, (k/2)^2
// core switches, and k/2 hosts at every edge switch.
Graph fat_tree(unsigned ports)
{
    const std::string name = fmt::format("fat-tree:{}", ports);
    require(ports >= 2 && ports <= 16 && ports % 2 == 0, name, "an even number of ports from 2 to 16");
    const NodeId half = ports / 2;
    const NodeId edge = ports * half * half;   // the first edge switch: hosts come before it
    const NodeId above = edge + ports * half;  // the first aggregation switch
    const NodeId core = above + ports * half;  // the first core switch
    Drawn drawn;
    for (NodeId host = 0; host < edge; ++host)
        drawn.link(host, edge + host / half);
    for (NodeId pod = 0; pod < ports; ++pod)
        for (NodeId i = 0; i < half; ++i)
            for (NodeId j = 0; j < half; ++j) {
                drawn.link(edge + pod * half + i, above + pod * half + j);
                drawn.link(above + pod * half + i, core + i * half + j);
            }
    drawn.switches(edge, core + half * half);
    return std::move(drawn).graph(name);
}

// Kim, Dally, Scott & Abts 2008, section 3.1: groups of `routers` routers that are all linked to each other, each with
// `hosts` hosts and `global` links to other groups; one link between any two of the routers * global + 1 groups.
Graph dragonfly(unsigned hosts, unsigned routers, unsigned global)
{
    const std::string name = fmt::format("dragonfly:{},{},{}", hosts, routers, global);
    require(hosts >= 1 && routers >= 1 && global >= 1 && hosts <= 16 && routers <= 16 && global <= 16, name,
            "1 to 16 hosts per router, routers per group, and links per router to other groups");
    const NodeId groups = routers * global + 1;
    const NodeId first = groups * routers * hosts;  // the first router
    const auto router = [&](NodeId group, NodeId number) { return first + group * routers + number; };
    require(first + groups * routers <= Graph::max_nodes, name, fmt::format("at most {} nodes", Graph::max_nodes));
    Drawn drawn;
    for (NodeId host = 0; host < first; ++host)
        drawn.link(host, first + host / hosts);
    for (NodeId group = 0; group < groups; ++group) {
        for (NodeId a = 0; a < routers; ++a)
            for (NodeId b = a + 1; b < routers; ++b)
                drawn.link(router(group, a), router(group, b));
        // Link number i of a group leads i + 1 groups on, and from there it is the last but i.
        for (NodeId i = 0; i < groups - 1; ++i)
            if (const NodeId other = (group + i + 1) % groups; group < other)
                drawn.link(router(group, i / global), router(other, (groups - 2 - i) / global));
    }
    drawn.switches(first, first + groups * routers);
    return std::move(drawn).graph(name);
}

}  // namespace dcube
