// Layouts of hypercubes: their dimensions can be distinguished.

#include "inspect/view/layouts/layout.hpp"

#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>

using namespace dcube;
using namespace dcube::view;

namespace {

double distance(Point a, Point b)
{
    return std::hypot(a.x - b.x, a.y - b.y);
}

Point step(const Variant& variant, const UndirectedLink& link)
{
    return {variant.nodes[link.to].x - variant.nodes[link.from].x,
            variant.nodes[link.to].y - variant.nodes[link.from].y};
}

const view::Layout& named(const std::vector<view::Layout>& layouts, const std::string& name)
{
    const auto found = std::ranges::find(layouts, name, &view::Layout::name);
    REQUIRE(found != layouts.end());
    return *found;
}

}  // namespace

TEST_CASE("layouts: a hypercube's dimension is a direction", "[view]")
{
    for (unsigned d = 1; d <= 6; ++d) {
        const Topology topology = Topology::hypercube(d);
        const std::vector<UndirectedLink> links = undirected_links(topology);
        for (const view::Layout& layout : layouts_of(topology, NodeId{3} % topology.nodes()))
            for (const Variant& variant : layout.variants) {
                CAPTURE(d, layout.name);
                for (const UndirectedLink& link : links) {
                    const UndirectedLink& first = *std::ranges::find(links, link.dimension, &UndirectedLink::dimension);
                    const Point a = step(variant, first);
                    const Point b = step(variant, link);
                    if (layout.name == "cube in cube" && link.dimension == 3) {  // towards the centre
                        const Point from = variant.nodes[link.from];
                        CHECK(std::abs(from.x * b.y - from.y * b.x) < .002);
                    } else if (layout.name == "cube in cube") {  // the inner one is smaller
                        CHECK(std::abs(a.x * b.y - a.y * b.x) < .004);
                        CHECK(a.x * b.x + a.y * b.y > 0);
                    } else {
                        const double sign = layout.name == "levels" && a.x * b.x + a.y * b.y < 0 ? -1 : 1;
                        CHECK(distance(a, {sign * b.x, sign * b.y}) < .003);
                    }
                }
            }
    }
}

TEST_CASE("layouts: all arcs of a lattice's dimension are the same arc", "[view]")
{
    for (unsigned d = 4; d <= 6; ++d) {
        const Topology topology = Topology::hypercube(d);
        const std::vector<UndirectedLink> links = undirected_links(topology);
        const Variant variant = named(layouts_of(topology), "lattice").variants[0];
        CHECK(variant.bends.size() == (d == 4 ? 16U : d == 5 ? 48U : 128U));  // all but those of two dimensions
        std::map<unsigned, Line> known;
        for (const auto& [number, lines] : variant.bends) {
            REQUIRE(lines.size() == 1);
            const Point origin = variant.nodes[links[number].from];
            Line line = lines[0];
            for (Point& p : line)
                p = {p.x - origin.x, p.y - origin.y};
            const auto [place, is_new] = known.try_emplace(links[number].dimension, line);
            REQUIRE(place->second.size() == line.size());
            for (std::size_t i = 0; i < line.size(); ++i)
                CHECK(distance(place->second[i], line[i]) < .003);
        }
        CHECK(known.size() == d - 2);
    }
}

TEST_CASE("layouts: in the layout on levels the height is the distance from the root", "[view]")
{
    const Topology topology = Topology::hypercube(4);
    const NodeId root = 6;
    CHECK(std::ranges::count(layouts_of(topology), "levels", &view::Layout::name) == 0);
    const Variant variant = named(layouts_of(topology, root), "levels").variants[0];
    for (NodeId node = 0; node < 16; ++node)
        CHECK(variant.nodes[root].y - variant.nodes[node].y == Approx(topology.distance(root, node)));
}
