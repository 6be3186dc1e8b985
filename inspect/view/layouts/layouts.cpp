#include "base/sizes.hpp"
#include "inspect/view/layouts/shapes.hpp"

#include <algorithm>
#include <utility>

namespace dcube::view {

std::vector<UndirectedLink> undirected_links(const Topology& topology)
{
    std::vector<UndirectedLink> links;
    links.reserve(allocatable(topology.directed_links() / 2));
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

// The layouts of the first family that has a readable one.
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

// The number of every link of the whole network in the one that lacks something; none where it is missing.
std::vector<std::optional<std::uint32_t>> links_left(const Topology& topology)
{
    const std::vector<UndirectedLink> left = undirected_links(topology);
    std::vector<std::optional<std::uint32_t>> numbers;
    for (const UndirectedLink& link : undirected_links(topology.whole())) {
        const auto same = [&](const UndirectedLink& one) { return one.from == link.from && one.to == link.to; };
        const auto found = std::ranges::find_if(left, same);
        numbers.push_back(found == left.end() ? std::nullopt
                                              : std::optional(static_cast<std::uint32_t>(found - left.begin())));
    }
    return numbers;
}

// The lines of links that are missing, both of whose nodes are there.
std::vector<Line> lost_lines(const Variant& variant, const Topology& topology)
{
    const std::vector<UndirectedLink> links = undirected_links(topology.whole());
    std::vector<Line> lost;
    for (const auto& [from, to] : topology.faults().links) {
        const auto [low, high] = std::minmax(from, to);
        const auto found =
            std::ranges::find_if(links, [&](const UndirectedLink& one) { return one.from == low && one.to == high; });
        if (found == links.end() || topology.is_missing(from) || topology.is_missing(to))
            continue;
        const auto bend = variant.bends.find(static_cast<std::uint32_t>(found - links.begin()));
        if (bend == variant.bends.end())
            lost.push_back({variant.nodes[from], variant.nodes[to]});
        else
            lost.insert(lost.end(), bend->second.begin(), bend->second.end());
    }
    return lost;
}

// The drawing of the whole network without the lines of what is missing.
void erase_missing(Variant& variant, const std::vector<std::optional<std::uint32_t>>& left)
{
    const auto all = std::exchange(variant.bends, {});
    for (const auto& [link, lines] : all)
        if (left[link])
            variant.bends[*left[link]] = lines;
    std::erase_if(variant.stubs, [&](const Stub& out) { return !left[out.link]; });
    for (Stub& out : variant.stubs)
        out.link = *left[out.link];
}

}  // namespace

// Nodes stand where they stand in the whole network, so that one sees what is missing.
std::vector<Layout> layouts_of(const Topology& topology, std::optional<NodeId> root)
{
    if (!topology.faults().empty()) {
        std::vector<Layout> layouts = layouts_of(topology.whole(), root);
        const std::vector<std::optional<std::uint32_t>> left = links_left(topology);
        for (Layout& layout : layouts)
            for (Variant& variant : layout.variants) {
                variant.lost = lost_lines(variant, topology);
                erase_missing(variant, left);
            }
        return layouts;
    }
    if (topology.nodes() > most_drawn)
        return {};
    const Network network(topology);
    std::vector<Layout> layouts = proposed(network, root);
    for (Layout& layout : layouts)
        layout.on_demand = topology.nodes() > most_drawn_unasked;
    return layouts;
}

}  // namespace dcube::view
