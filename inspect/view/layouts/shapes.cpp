#include "inspect/view/layouts/shapes.hpp"

#include "inspect/view/layouts/fit.hpp"

namespace dcube::view {

namespace {

constexpr double least_nearest = 24;     // px between nodes
constexpr double wanted_clearance = 10;  // px between a node and a foreign link

double rounded(double value)
{
    return std::round(value * 1000) / 1000 + 0.0;  // never -0
}

Point rounded(Point p)
{
    return {rounded(p.x), rounded(p.y)};
}

}  // namespace

std::vector<Point> circle(std::size_t nodes)
{
    const double radius = nodes == 1 ? 0 : .5 / std::sin(pi / static_cast<double>(nodes));
    std::vector<Point> points;
    for (std::size_t i = 0; i < nodes; ++i)
        points.push_back(turned({0, -radius}, 2 * pi * static_cast<double>(i) / static_cast<double>(nodes)));
    return points;
}

Line arc(Point a, Point b, Point out)
{
    constexpr unsigned pieces = 12;
    Line line{a};
    for (unsigned i = 1; i < pieces; ++i) {
        const double angle = pi * i / pieces;
        line.push_back(a + (b - a) * ((1 - std::cos(angle)) / 2) + out * std::sin(angle));
    }
    line.push_back(b);
    return line;
}

Variant finished(Variant shape)
{
    for (Point& node : shape.nodes)
        node = rounded(node);
    for (auto& [link, lines] : shape.bends)
        for (Line& line : lines)
            for (Point& p : line)
                p = rounded(p);
    for (Stub& one : shape.stubs)
        one.end = rounded(one.end);
    shape.box = {shape.nodes[0].x, shape.nodes[0].y, shape.nodes[0].x, shape.nodes[0].y};
    for (const Point& node : shape.nodes)
        widen(shape.box, node);
    for (const auto& [link, lines] : shape.bends)
        for (const Line& line : lines)
            for (const Point& p : line)
                widen(shape.box, p);
    return shape;
}

double readability(const Variant& shape, const Network& network)
{
    const Fitted fitted = fit(shape, network.links, Room{});
    return std::min(fitted.nearest / least_nearest, fitted.clearance / wanted_clearance);
}

bool is_readable(const Layout& layout, const Network& network)
{
    return std::ranges::any_of(layout.variants,
                               [&](const Variant& variant) { return readability(variant, network) >= 1; });
}

}  // namespace dcube::view
