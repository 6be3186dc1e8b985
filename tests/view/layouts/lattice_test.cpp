#include "view/layouts/layout.hpp"

#include "tests/support/catch.hpp"

using namespace dcube;
using namespace dcube::view;

TEST_CASE("layouts: the links around a torus leave the drawing, with the number of the node that they lead to",
          "[view]")
{
    const Topology topology = Topology::parse("torus:3x5");
    const std::vector<UndirectedLink> links = undirected_links(topology);
    const Variant variant = layouts_of(topology)[0].variants[0];
    REQUIRE(variant.stubs.size() == 2 * (3 + 5));
    for (const Stub& stub : variant.stubs) {
        const UndirectedLink& link = links[stub.link];
        const bool at_first = stub.node == link.to;  // the stub at node `from` leads to `to`
        const Line& line = variant.bends.at(stub.link)[at_first ? 0 : 1];
        CHECK(stub.end == (at_first ? line.back() : line.front()));
        const Point at = variant.nodes[at_first ? link.from : link.to];
        const Point out{stub.end.x - at.x, stub.end.y - at.y};
        const unsigned digit = topology.digit(at_first ? link.from : link.to, link.dimension);
        const bool is_row = link.dimension == 1;
        CHECK((is_row ? out.y : out.x) == Approx(0).margin(1e-9));
        CHECK(((is_row ? out.x : out.y) < 0) == (digit == 0));
        CHECK(
            (stub.end.x < 0 || stub.end.y < 0 || stub.end.x > variant.nodes[14].x || stub.end.y > variant.nodes[14].y));
    }
}
