// Single graphs on one circle, or two, or in a line.

#include "inspect/view/layouts/shapes.hpp"

#include <numeric>

namespace dcube::view {

namespace {

constexpr NodeId most_complete = 16;     // nodes of a complete graph that is drawn
constexpr std::size_t most_around = 80;  // nodes of a circle; more go in and out, so that they have more room

Variant on_circle(std::span<const NodeId> order)
{
    Variant shape{.stretch = 1.3, .nodes = std::vector<Point>(order.size())};
    const std::vector<Point> places = circle(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        shape.nodes[order[i]] = places[i] * (order.size() > most_around && i % 2 != 0 ? .93 : 1);
    return shape;
}

Layout circle_layout(std::span<const NodeId> order)
{
    return {"circle", {finished(on_circle(order))}};
}

std::vector<NodeId> by_number(NodeId nodes)
{
    std::vector<NodeId> order(nodes);
    std::iota(order.begin(), order.end(), NodeId{0});
    return order;
}

// The nodes of a ring from node 0 on, or of a path from its lesser end on, as they follow one another; none if the
// graph is neither.
std::vector<NodeId> in_a_row(const Graph& graph)
{
    std::vector<NodeId> ends;
    for (NodeId node = 0; node < graph.nodes(); ++node)
        if (graph.ports(node) == 1)
            ends.push_back(node);
        else if (graph.ports(node) != 2)
            return {};
    std::vector<NodeId> order{ends.empty() ? 0 : ends[0]};
    order.push_back(graph.neighbour(order[0], 0));
    while (order.size() < graph.nodes()) {
        const NodeId first = graph.neighbour(order.back(), 0);
        order.push_back(first != order[order.size() - 2] ? first : graph.neighbour(order.back(), 1));
    }
    return order;
}

// A long path as rows that are read in turns, so that neighbours stay neighbours.
Layout winding(std::span<const NodeId> order)
{
    const auto nodes = static_cast<double>(order.size());
    const auto columns =
        order.size() <= 12 ? order.size() : static_cast<std::size_t>(std::ceil(std::sqrt(1.4 * nodes)));
    Variant wide{.stretch = 1.7, .nodes = std::vector<Point>(order.size())};
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::size_t row = i / columns;
        const std::size_t column = row % 2 == 0 ? i % columns : columns - 1 - i % columns;
        wide.nodes[order[i]] = {static_cast<double>(column), static_cast<double>(row)};
    }
    Variant tall = wide;
    for (Point& node : tall.nodes)
        std::swap(node.x, node.y);
    return {"line", {finished(std::move(wide)), finished(std::move(tall))}};
}

// True if the group is that of the numbers modulo n, so that the numbers in their order make a picture.
bool is_cyclic(const Graph& graph)
{
    if (!graph.symmetric())
        return false;
    for (NodeId node = 0; node < graph.nodes(); ++node)
        if (graph.times(node, 1) != (node + 1) % graph.nodes())
            return false;
    return true;
}

// The node that all others hang on.
std::optional<NodeId> hub(const Graph& graph)
{
    const NodeId nodes = graph.nodes();
    std::optional<NodeId> found;
    for (NodeId node = 0; node < nodes; ++node)
        if (graph.ports(node) == nodes - 1)
            found = node;
        else if (graph.ports(node) != 1)
            return std::nullopt;
    return nodes >= 4 ? found : std::nullopt;
}

Layout wheel(NodeId nodes, NodeId middle)
{
    std::vector<NodeId> rim = by_number(nodes);
    rim.erase(rim.begin() + middle);
    Variant shape{.stretch = 1.3, .nodes = std::vector<Point>(nodes)};
    const std::vector<Point> places = circle(rim.size());
    for (std::size_t i = 0; i < rim.size(); ++i)
        shape.nodes[rim[i]] = places[i];
    return {"hub", {finished(std::move(shape))}};
}

Layout petersen()
{
    const std::vector<Point> outer = circle(5);
    Variant shape{.stretch = 1.3, .nodes = outer};
    for (const Point& place : outer)
        shape.nodes.push_back(place * .5);
    return {"two rings", {finished(std::move(shape))}};
}

}  // namespace

std::vector<Layout> circle_layouts(const Network& network)
{
    if (network.topology.dimension() != 1)
        return {};
    const Graph& graph = network.topology.factor(0);
    if (graph == Graph::petersen())
        return {petersen()};
    const NodeId nodes = graph.nodes();
    if (network.links.size() == std::size_t{nodes} * (nodes - 1) / 2)
        return nodes <= most_complete ? std::vector{circle_layout(by_number(nodes))} : std::vector<Layout>{};
    if (const std::vector<NodeId> order = in_a_row(graph); !order.empty())
        return {graph.ports(order[0]) == 1 ? winding(order) : circle_layout(order)};
    if (const std::optional<NodeId> middle = hub(graph))
        return {wheel(nodes, *middle)};
    if (is_cyclic(graph))
        return {circle_layout(by_number(nodes))};
    return {};
}

}  // namespace dcube::view
