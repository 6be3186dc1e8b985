#include "inspect/view/layouts/fit.hpp"

#include "tests/support/catch.hpp"

using namespace dcube;
using namespace dcube::view;

namespace {

Fitted in(const char* network, const Room& room)
{
    const Topology topology = Topology::parse(network);
    return fit(layouts_of(topology).at(0), undirected_links(topology), room);
}

}  // namespace

TEST_CASE("layouts: a drawing fills its room in one direction, and stands in the middle", "[view]")
{
    for (const char* const network : {"hypercube:3", "mesh:4x6", "ring:12"}) {
        CAPTURE(network);
        const Room room{900, 640, 14};
        const Fitted fitted = in(network, room);
        Box box{900, 640, 0, 0};
        for (const Point& node : fitted.nodes)
            box = {std::min(box.left, node.x), std::min(box.top, node.y), std::max(box.right, node.x),
                   std::max(box.bottom, node.y)};
        CHECK(box.left + box.right == Approx(room.width).margin(.5));
        CHECK(box.top + box.bottom == Approx(room.height).margin(2));
        const double free_x = box.left - fitted.side / 2;
        const double free_y = box.top - fitted.side / 2;
        CHECK(std::min(free_x, free_y) < 20);
    }
}

TEST_CASE("layouts: one axis is stretched against the other as far as the layout allows, and no farther", "[view]")
{
    const Topology topology = Topology::hypercube(2);
    Variant square{.stretch = 1.5, .nodes = {{0, 0}, {1, 0}, {0, 1}, {1, 1}}, .box = {0, 0, 1, 1}};
    const std::vector<UndirectedLink> links = undirected_links(topology);
    const auto sides = [&](double width, double height) {
        const Fitted fitted = fit(square, links, {width, height, 14});
        return (fitted.nodes[1].x - fitted.nodes[0].x) / (fitted.nodes[2].y - fitted.nodes[0].y);
    };
    CHECK(sides(3000, 600) == Approx(1.5));
    CHECK(sides(600, 3000) == Approx(1 / 1.5));
    CHECK(sides(600, 600) == Approx(1).margin(.03));
}

TEST_CASE("layouts: a tall room takes the tall variant of a layout", "[view]")
{
    const Fitted wide = in("torus:4x8", {900, 500, 14});
    CHECK(wide.nodes[1].x > wide.nodes[0].x + 1);
    CHECK(wide.nodes[1].y == wide.nodes[0].y);
    const Fitted tall = in("torus:4x8", {350, 700, 14});
    CHECK(tall.nodes[1].x == tall.nodes[0].x);
    CHECK(tall.nodes[1].y > tall.nodes[0].y + 1);
}

TEST_CASE("layouts: one node, and nodes in one line, have a place in the room", "[view]")
{
    CHECK(in("hypercube:0", {200, 100, 10}).nodes[0] == Point{100, 50});
    const Fitted line = in("path:4", {400, 200, 10});
    CHECK(line.nodes[0].y == Approx(100));
    CHECK(line.nodes[3].x > 300);
}
