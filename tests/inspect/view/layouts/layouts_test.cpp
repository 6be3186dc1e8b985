// Layouts as numbers: what is drawn can be read in 900 x 640 px.

#include "inspect/view/layouts/fit.hpp"
#include "inspect/view/layouts/layout.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/random.hpp>

#include <algorithm>
#include <cmath>
#include <set>

using namespace dcube;
using namespace dcube::view;

namespace {

double apart(Point a, Point b)
{
    return std::hypot(a.x - b.x, a.y - b.y);
}

// The distance found by trying 200 points of every piece: slow, and by another method than the one tested.
double distance_to(Point node, const Line& line)
{
    double least = 1e9;
    for (std::size_t i = 1; i < line.size(); ++i)
        for (int part = 0; part <= 200; ++part) {
            const double t = part / 200.0;
            least = std::min(least, apart(node, {line[i - 1].x + t * (line[i].x - line[i - 1].x),
                                                 line[i - 1].y + t * (line[i].y - line[i - 1].y)}));
        }
    return least;
}

Topology random_graph(NodeId nodes, unsigned chords, std::uint64_t seed)
{
    Random random(seed);
    std::set<std::pair<NodeId, NodeId>> edges;
    for (NodeId node = 1; node < nodes; ++node)
        edges.insert({static_cast<NodeId>(random.below(node)), node});
    while (edges.size() < nodes - 1 + chords) {
        const auto a = static_cast<NodeId>(random.below(nodes));
        const auto b = static_cast<NodeId>(random.below(nodes));
        if (a < b)
            edges.insert({a, b});
    }
    return Topology::product({Graph::from_edges("random", std::vector(edges.begin(), edges.end()))});
}

std::vector<Topology> small_networks()
{
    std::vector<Topology> all;
    for (const char* const name : {"hypercube:0",
                                   "hypercube:1",
                                   "hypercube:2",
                                   "hypercube:3",
                                   "hypercube:4",
                                   "hypercube:5",
                                   "hypercube:6",
                                   "hypercube:7",
                                   "torus:6x6",
                                   "torus:3x4",
                                   "torus:4x8",
                                   "torus:2x5",
                                   "torus:4x4x4",
                                   "torus:10x10",
                                   "mesh:4x6",
                                   "mesh:3x3x3",
                                   "mesh:2x3x4",
                                   "ring:5",
                                   "ring:16",
                                   "ring:64",
                                   "ring:100",
                                   "path:3",
                                   "path:40",
                                   "complete:3",
                                   "complete:16",
                                   "petersen",
                                   "ccc:3",
                                   "ccc:4",
                                   "pancake:4",
                                   "star:4",
                                   "circulant:13,1,5",
                                   "circulant:8,2,3",
                                   "ring:5*path:4",
                                   "ring:4*complete:4",
                                   "ghc:4x4",
                                   "petersen*path:2",
                                   "star:3*ring:4",
                                   "complete:3*complete:4*path:2"})
        all.push_back(Topology::parse(name));
    all.push_back(random_graph(12, 4, 1));
    all.push_back(random_graph(20, 6, 2));
    return all;
}

}  // namespace

TEST_CASE("layouts: links are numbered by their lesser node, then by its port", "[view]")
{
    for (const char* const name : {"hypercube:3", "torus:3x4", "ring:4*complete:4", "petersen", "mesh:2x3"}) {
        CAPTURE(name);
        const Topology topology = Topology::parse(name);
        const std::vector<UndirectedLink> links = undirected_links(topology);
        std::vector<UndirectedLink> expected;
        for (NodeId node = 0; node < topology.nodes(); ++node)
            for (Port port = 0; port < topology.ports(node); ++port)
                if (const NodeId far = topology.neighbour(node, port); far > node) {
                    unsigned dimension = 0;
                    while (topology.digit(node, dimension) == topology.digit(far, dimension))
                        ++dimension;
                    if (topology.is_hypercube())
                        dimension = port;
                    expected.push_back({node, far, port, topology.arrival_port(node, port), dimension});
                }
        CHECK(links == expected);
        CHECK(2 * links.size() == topology.directed_links());
    }
}

TEST_CASE("layouts: no nodes coincide, links keep clear of nodes that they do not join, and end at those that they do",
          "[view][slow]")
{
    test_support::Sample sample;
    for (const Topology& topology : small_networks()) {
        if (!sample.takes_next())
            continue;
        CAPTURE(topology.name());
        const std::vector<UndirectedLink> links = undirected_links(topology);
        const std::vector<view::Layout> layouts = layouts_of(topology, NodeId{0});
        CHECK(!layouts.empty());
        for (const view::Layout& layout : layouts) {
            CAPTURE(layout.name);
            const Fitted fitted = fit(layout, links, Room{900, 640, 14});
            REQUIRE(fitted.nodes.size() == topology.nodes());
            double nearest = 1e9;
            double clearance = 1e9;
            for (NodeId a = 0; a < topology.nodes(); ++a) {
                for (NodeId b = 0; b < a; ++b)
                    nearest = std::min(nearest, apart(fitted.nodes[a], fitted.nodes[b]));
                for (std::size_t i = 0; i < links.size(); ++i)
                    if (links[i].from != a && links[i].to != a)
                        for (const Line& line : fitted.links[i])
                            clearance = std::min(clearance, distance_to(fitted.nodes[a], line));
            }
            CHECK(nearest >= 24);
            CHECK(clearance >= 9.9);  // tried points are a little farther than the line
            REQUIRE(fitted.links.size() == links.size());
            for (std::size_t i = 0; i < links.size(); ++i) {
                CHECK(apart(fitted.links[i].front().front(), fitted.nodes[links[i].from]) < 1);
                CHECK(apart(fitted.links[i].back().back(), fitted.nodes[links[i].to]) < 1);
                CHECK(fitted.links[i].size() <= 2);
            }
        }
    }
}

TEST_CASE("layouts: everything lies in the room, boxes and numbers included", "[view]")
{
    for (const Topology& topology : small_networks())
        for (const view::Layout& layout : layouts_of(topology)) {
            CAPTURE(topology.name(), layout.name);
            const Room room{900, 640, 14};
            const Fitted fitted = fit(layout, undirected_links(topology), room);
            const double half = fitted.side / 2;
            for (const Point& node : fitted.nodes) {
                CHECK(node.x - half >= 8);  // a digit is that wide
                CHECK(node.x + half <= room.width);
                CHECK(node.y - half >= 12);
                CHECK(node.y + half <= room.height);
            }
            for (const std::vector<Line>& lines : fitted.links)
                for (const Line& line : lines)
                    for (const Point& p : line)
                        CHECK((p.x >= 0 && p.y >= 0 && p.x <= room.width && p.y <= room.height));
        }
}

TEST_CASE("layouts: the box of a variant is that of its nodes and lines, and all numbers have three decimals", "[view]")
{
    const auto is_short = [](double value) { return std::abs(value * 1000 - std::round(value * 1000)) < 1e-9; };
    for (const Topology& topology : small_networks())
        for (const view::Layout& layout : layouts_of(topology))
            for (const Variant& variant : layout.variants) {
                CAPTURE(topology.name(), layout.name);
                Box box{1e9, 1e9, -1e9, -1e9};
                const auto take = [&](Point p) {
                    box = {std::min(box.left, p.x), std::min(box.top, p.y), std::max(box.right, p.x),
                           std::max(box.bottom, p.y)};
                    CHECK((is_short(p.x) && is_short(p.y)));
                };
                std::ranges::for_each(variant.nodes, take);
                for (const auto& [link, lines] : variant.bends)
                    for (const Line& line : lines)
                        std::ranges::for_each(line, take);
                CHECK(box == variant.box);
            }
}

TEST_CASE("layouts: each network has the drawing that shows its structure", "[view]")
{
    const std::pair<const char*, std::vector<std::string>> expected[] = {
        {"hypercube:3", {"cube"}},    {"hypercube:4", {"cube in cube", "lattice"}},
        {"hypercube:5", {"lattice"}}, {"hypercube:6", {"lattice"}},
        {"torus:6x6", {"torus"}},     {"mesh:4x6", {"grid"}},
        {"ring:7", {"circle"}},       {"complete:16", {"circle"}},
        {"path:9", {"line"}},         {"petersen", {"two rings"}},
        {"ccc:3", {"rings"}},         {"star:4", {"rings"}},
        {"ring:5*path:4", {"torus"}}, {"ghc:4x4", {"lattice"}},
        {"mesh:3x3x3", {"copies"}},   {"circulant:13,1,5", {"circle"}},
        {"complete:20", {}},          {"ring:129", {}},
    };
    for (const auto& [network, names] : expected) {
        CAPTURE(network);
        std::vector<std::string> found;
        for (const view::Layout& layout : layouts_of(Topology::parse(network)))
            found.push_back(layout.name);
        CHECK(found == names);
    }
}

TEST_CASE("layouts: graphs from lists are known by their shape", "[view]")
{
    const auto layout = [](const std::vector<std::pair<NodeId, NodeId>>& edges) {
        return layouts_of(Topology::product({Graph::from_edges("list", edges)})).at(0);
    };
    const std::vector<std::pair<NodeId, NodeId>> ring{{0, 3}, {3, 1}, {1, 4}, {4, 2}, {2, 0}};
    CHECK(layout(ring).name == "circle");
    const Variant round = layout(ring).variants[0];
    for (const auto& [a, b] : ring)  // neighbours on the ring stand side by side
        CHECK(apart(round.nodes[a], round.nodes[b]) == Approx(1).margin(.002));
    CHECK(layout({{2, 0}, {0, 1}, {1, 3}}).name == "line");
    const view::Layout hub = layout({{2, 0}, {2, 1}, {2, 3}, {2, 4}, {2, 5}});
    CHECK(hub.name == "hub");
    CHECK(hub.variants[0].nodes[2] == Point{0, 0});
    CHECK(layout({{0, 1}, {1, 2}, {2, 3}, {2, 4}, {1, 5}, {5, 6}, {6, 7}, {6, 0}}).name == "forces");
}

TEST_CASE("layouts: more than 64 nodes are drawn on demand, more than 128 never", "[view]")
{
    CHECK_FALSE(layouts_of(Topology::hypercube(6)).at(0).on_demand);
    CHECK(layouts_of(Topology::hypercube(7)).at(0).on_demand);
    CHECK(layouts_of(Topology::parse("torus:10x10")).at(0).on_demand);
    CHECK(layouts_of(Topology::hypercube(8)).empty());
}

TEST_CASE("layouts: coordinates are the same every time and with every compiler", "[view]")
{
    for (const char* const name : {"hypercube:4", "torus:4x4x4", "pancake:4", "ghc:3x4x2"})
        CHECK(layouts_of(Topology::parse(name)) == layouts_of(Topology::parse(name)));
    const Topology topology = random_graph(20, 6, 2);
    const view::Layout layout = layouts_of(topology).at(0);
    CHECK(layout == layouts_of(topology).at(0));
    REQUIRE(layout.name == "forces");
    CHECK(layout.variants[0].nodes[0] == Point{-3.198, 1.818});
    CHECK(layout.variants[0].nodes[19] == Point{-5.479, 1.147});
}

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
