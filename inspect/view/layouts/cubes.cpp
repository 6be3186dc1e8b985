// Hypercubes: dimensions are directions, or directions and lengths.

#include "inspect/view/layouts/shapes.hpp"

namespace dcube::view {

namespace {

// Dimension k leads from the nodes where bit k is as in `root` to the others by vectors[k].
Variant projection(std::span<const Point> vectors, NodeId root = 0)
{
    Variant shape{.stretch = 1.3};
    for (NodeId node = 0; node < NodeId{1} << vectors.size(); ++node) {
        Point place;
        for (std::size_t k = 0; k < vectors.size(); ++k)
            place = place + vectors[k] * (((node ^ root) >> k & 1) != 0 ? .5 : -.5);
        shape.nodes.push_back(place);
    }
    return shape;
}

Layout cube(unsigned dimension)
{
    constexpr Point vectors[] = {{1, 0}, {0, -.64}, {.48, -.32}};
    return {"cube", {finished(projection(std::span(vectors).first(dimension)))}};
}

Layout cube_in_cube()
{
    constexpr Point vectors[] = {{1, 0}, {0, -.90}, {.586, -.191}, {0, 0}};
    Variant shape = projection(vectors);
    for (NodeId node = 8; node < 16; ++node)
        shape.nodes[node] = shape.nodes[node] * .472;
    return {"cube in cube", {finished(std::move(shape))}};
}

Layout cube_lattice(const Network& network)
{
    const unsigned d = network.topology.dimension();
    const NodeId wide = NodeId{1} << (d + 1) / 2;
    const NodeId tall = NodeId{1} << d / 2;
    const std::vector<double> bends = d <= 4   ? std::vector{.0, .47}
                                      : d <= 6 ? std::vector{.0, .36, .60}
                                               : std::vector{.0, .30, .50, .70};
    Layout layout{"lattice", {finished(lattice(network, {wide, 1.3, bends}))}};
    if (d == 4)
        layout.variants.push_back(finished(lattice(network, {tall, .9, {0, .38}})));
    else if (tall != wide)
        layout.variants.push_back(finished(lattice(network, {tall, 1.3, bends})));
    return layout;
}

// The distance from the root is the height; of all widths of the dimensions, those that keep links clearest of nodes.
Layout levels(unsigned dimension, NodeId root)
{
    static const std::vector<std::vector<double>> widths{
        {-2, 2}, {-2.104, 0, 2.104}, {-2.557, -.325, .852, 2.030}, {-1.302, -.372, .240, .558, .876}};
    std::vector<Point> vectors;
    for (const double width : widths.at(dimension - 2))
        vectors.push_back({width, -1});
    return {"levels", {finished(projection(vectors, root))}};
}

}  // namespace

std::vector<Layout> cube_layouts(const Network& network, std::optional<NodeId> root)
{
    if (!network.topology.is_hypercube())
        return {};
    const unsigned d = network.topology.dimension();
    std::vector<Layout> all;
    if (d <= 3)
        all.push_back(cube(d));
    if (d == 4)
        all.push_back(cube_in_cube());
    if (d >= 4)
        all.push_back(cube_lattice(network));
    if (root && d >= 2 && d <= 5)
        all.push_back(levels(d, *root));
    return all;
}

}  // namespace dcube::view
