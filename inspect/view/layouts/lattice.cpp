// Lattices: hypercubes with arcs, tori, meshes, and products of two complete graphs.

#include "inspect/view/layouts/shapes.hpp"

#include <set>

namespace dcube::view {

namespace {

constexpr double stub = .62;  // in pitches

std::size_t span_of(const UndirectedLink& link, NodeId columns)
{
    return link.to - link.from < columns ? link.to - link.from : (link.to - link.from) / columns;
}

// True for the link of a ring that leads from its last node to its first.
bool wraps(const Topology& topology, const UndirectedLink& link)
{
    if (topology.is_hypercube())
        return false;
    const Graph& graph = topology.factor(link.dimension);
    return graph.kind() == Graph::Kind::ring &&
           topology.digit(link.to, link.dimension) - topology.digit(link.from, link.dimension) + 1 == graph.nodes();
}

// A layout that stands upright too if it has two different sides: the same nodes, rows as columns.
Layout both_ways(std::string name, const Network& network, NodeId columns, const std::vector<double>& bends)
{
    const NodeId rows = network.topology.nodes() / columns;
    Layout layout{std::move(name), {finished(lattice(network, {columns, 1.3, bends}))}};
    if (rows == columns || rows == 1 || columns == 1)
        return layout;
    Variant upright = layout.variants[0];
    const auto swapped = [](Point p) { return Point{p.y * 1.3, p.x / 1.3}; };
    for (Point& node : upright.nodes)
        node = swapped(node);
    for (auto& [link, lines] : upright.bends)
        for (Line& line : lines)
            for (Point& p : line)
                p = swapped(p);
    for (Stub& end : upright.stubs)
        end.end = swapped(end.end);
    layout.variants.push_back(finished(std::move(upright)));
    return layout;
}

bool is_grid_like(const Graph& graph)
{
    return graph.kind() == Graph::Kind::ring || graph.kind() == Graph::Kind::path || graph.nodes() == 2;
}

}  // namespace

Variant lattice(const Network& network, const Lattice& how)
{
    Variant shape{.stretch = 1.7};
    for (NodeId node = 0; node < network.topology.nodes(); ++node)
        shape.nodes.push_back({node % how.columns * how.pitch, static_cast<double>(node / how.columns)});
    std::set<std::size_t> spans;
    for (const UndirectedLink& link : network.links)
        if (!wraps(network.topology, link))
            spans.insert(span_of(link, how.columns));
    for (std::uint32_t i = 0; i < network.links.size(); ++i) {
        const UndirectedLink& link = network.links[i];
        const Point from = shape.nodes[link.from];
        const Point to = shape.nodes[link.to];
        const bool in_row = link.to - link.from < how.columns;
        if (wraps(network.topology, link)) {
            const Point out = in_row ? Point{stub * how.pitch, 0} : Point{0, stub};
            shape.bends[i] = {{from, from - out}, {to + out, to}};
            shape.stubs.push_back({i, from - out, link.to});
            shape.stubs.push_back({i, to + out, link.from});
            continue;
        }
        const auto rank =
            static_cast<std::size_t>(std::distance(spans.begin(), spans.find(span_of(link, how.columns))));
        const double bend = how.bends[std::min(rank, how.bends.size() - 1)];
        if (bend > 0)
            shape.bends[i] = {arc(from, to, in_row ? Point{0, -bend} : Point{-bend * how.pitch, 0})};
    }
    return shape;
}

std::vector<Layout> grid_layouts(const Network& network)
{
    const Topology& topology = network.topology;
    if (topology.dimension() != 2)
        return {};
    const Graph& rows = topology.factor(0);
    const Graph& columns = topology.factor(1);
    if (is_grid_like(rows) && is_grid_like(columns)) {
        const bool ring = rows.kind() == Graph::Kind::ring || columns.kind() == Graph::Kind::ring;
        return {both_ways(ring ? "torus" : "grid", network, columns.nodes(), {0})};
    }
    const auto is_row = [](const Graph& graph) {
        return is_grid_like(graph) || (graph.kind() == Graph::Kind::complete && graph.nodes() <= 5);
    };
    if (is_row(rows) && is_row(columns))
        return {both_ways("lattice", network, columns.nodes(), {0, .36, .60, .80})};
    return {};
}

}  // namespace dcube::view
