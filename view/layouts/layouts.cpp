#include "view/layouts/shapes.hpp"

namespace dcube::view {

std::vector<UndirectedLink> undirected_links(const Topology& topology)
{
    std::vector<UndirectedLink> links;
    links.reserve(topology.directed_links() / 2);
    for (NodeId node = 0; node < topology.nodes(); ++node)
        for (unsigned i = topology.dimension(); i-- > 0;) {
            const unsigned dimension = topology.is_hypercube() ? topology.dimension() - 1 - i : i;
            const Port first = topology.first_port(node, i);
            for (Port port = first; port < first + topology.factor(i).ports(topology.digit(node, i)); ++port)
                if (const NodeId to = topology.neighbour(node, port); node < to)
                    links.push_back({node, to, port, topology.arrival_port(node, port), dimension});
        }
    return links;
}

namespace {

// Those of the first family that knows a readable one.
std::vector<Layout> proposed(const Network& network, std::optional<NodeId> root)
{
    if (network.topology.is_hypercube())
        return cube_layouts(network, root);
    for (const auto& family : {grid_layouts, circle_layouts, ring_layouts, nested_layouts, force_layouts}) {
        std::vector<Layout> layouts = family(network);
        std::erase_if(layouts, [&](const Layout& layout) { return !is_readable(layout, network); });
        if (!layouts.empty())
            return layouts;
    }
    return {};
}

}  // namespace

std::vector<Layout> layouts_of(const Topology& topology, std::optional<NodeId> root)
{
    if (topology.nodes() > most_drawn)
        return {};
    const Network network(topology);
    std::vector<Layout> layouts = proposed(network, root);
    for (Layout& layout : layouts)
        layout.on_demand = topology.nodes() > most_drawn_unasked;
    return layouts;
}

}  // namespace dcube::view
