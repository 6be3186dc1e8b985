// Products: the first factors are laid out, and inside each of their nodes stands the last one, smaller.

#include "inspect/view/layouts/shapes.hpp"

namespace dcube::view {

namespace {

Topology without_last_factor(const Topology& topology)
{
    std::vector<Graph> factors;
    for (unsigned i = 0; i + 1 < topology.dimension(); ++i)
        factors.push_back(topology.factor(i));
    return Topology::product(std::move(factors));
}

struct Part {
    Network network;
    Variant shape;
    std::map<std::pair<NodeId, NodeId>, std::uint32_t> numbers;  // numbers of its links

    Part(const Topology& topology, Variant variant) : network(topology), shape(std::move(variant))
    {
        for (std::uint32_t i = 0; i < network.links.size(); ++i)
            numbers[{network.links[i].from, network.links[i].to}] = i;
    }

    // The bend of a link of the part, if it has one.
    [[nodiscard]] const std::vector<Line>* bent(NodeId from, NodeId to) const
    {
        const auto found = shape.bends.find(numbers.at({from, to}));
        return found == shape.bends.end() ? nullptr : &found->second;
    }
};

struct Placing {
    double share;  // share of the room between outer nodes that an inner copy takes
    double angle;
};

Variant nested(const Network& network, const Part& outer, const Part& inner, const Placing& placing)
{
    const Box& box = inner.shape.box;
    const double extent = std::max(box.right - box.left, box.bottom - box.top);
    const double scale = placing.share * least_distance(outer.shape.nodes) / extent;
    const Point centre{(box.left + box.right) / 2, (box.top + box.bottom) / 2};
    const auto small = [&](Point p) { return turned((p - centre) * scale, placing.angle); };

    const NodeId copies = inner.network.topology.nodes();
    Variant shape{.stretch = 1.3};
    for (NodeId node = 0; node < network.topology.nodes(); ++node)
        shape.nodes.push_back(outer.shape.nodes[node / copies] + small(inner.shape.nodes[node % copies]));
    for (std::uint32_t i = 0; i < network.links.size(); ++i) {
        const auto [from, to, from_port, to_port, dimension] = network.links[i];
        const bool is_inner = from / copies == to / copies;
        const std::vector<Line>* lines =
            is_inner ? inner.bent(from % copies, to % copies) : outer.bent(from / copies, to / copies);
        if (lines == nullptr)
            continue;
        for (const Line& line : *lines) {
            Line& moved = shape.bends[i].emplace_back();
            for (const Point& p : line)
                moved.push_back(is_inner ? outer.shape.nodes[from / copies] + small(p)
                                         : p + small(inner.shape.nodes[from % copies]));
        }
        if (lines->size() == 2) {
            shape.stubs.push_back({i, shape.bends[i][0].back(), to});
            shape.stubs.push_back({i, shape.bends[i][1].front(), from});
        }
    }
    return shape;
}

}  // namespace

std::vector<Layout> nested_layouts(const Network& network)
{
    const Topology& topology = network.topology;
    if (topology.dimension() < 2)
        return {};
    const Topology first = without_last_factor(topology);
    const Topology last = Topology::product({topology.factor(topology.dimension() - 1)});
    const std::vector<Layout> outer = layouts_of(first);
    const std::vector<Layout> inner = layouts_of(last);
    if (outer.empty() || inner.empty())
        return {};
    std::vector<Placing> placings;
    for (const double share : {.38, .45, .52, .60})
        for (unsigned i = 0; i < 24; ++i)
            placings.push_back({share, pi / 24 * i});
    const Part inner_part(last, inner[0].variants[0]);
    Layout layout{"copies", {}};
    for (const Variant& variant : outer[0].variants) {
        const Part outer_part(first, variant);
        layout.variants.push_back(best_shape(network, placings, [&](const Placing& placing) {
            return nested(network, outer_part, inner_part, placing);
        }));
    }
    return {layout};
}

}  // namespace dcube::view
