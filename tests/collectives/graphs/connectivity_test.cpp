// Bisection width, connectivity and girth: the table of textbooks, and small graphs by brute force.

#include "tests/support/catch.hpp"

#include <dcube/connectivity.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace dcube;

namespace {

using Edges = std::vector<std::pair<NodeId, NodeId>>;
using Nodes = std::uint32_t;  // a bit for each

Edges edges_of(const Topology& topology)
{
    Edges edges;
    for (NodeId node = 0; node < topology.nodes(); ++node)
        for (Port port = 0; port < topology.ports(node); ++port)
            if (const NodeId other = topology.neighbour(node, port); other > node)
                edges.emplace_back(node, other);
    return edges;
}

bool has(Nodes nodes, NodeId node)
{
    return (nodes >> node & 1U) != 0;
}

std::uint64_t cut_links(const Edges& edges, Nodes inside)
{
    return static_cast<std::uint64_t>(std::ranges::count_if(
        edges, [&](const auto& edge) { return has(inside, edge.first) != has(inside, edge.second); }));
}

// Whether all these nodes reach each other without the others.
bool are_connected(const Edges& edges, Nodes nodes)
{
    Nodes reached = nodes & (~nodes + 1);
    for (Nodes before = 0; before != reached;) {
        before = reached;
        for (const auto& [a, b] : edges)
            if (has(nodes, a) && has(nodes, b) && (has(reached, a) || has(reached, b)))
                reached |= Nodes{1} << a | Nodes{1} << b;
    }
    return reached == nodes;
}

struct BruteForce {
    std::uint64_t bisection = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t edges = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t nodes;
};

// Over all sets of nodes.
BruteForce brute_force(const Edges& edges, NodeId n)
{
    BruteForce found{.nodes = n - std::uint64_t{1}};
    const Nodes all = (Nodes{1} << n) - 1;
    for (Nodes set = 1; set < all; ++set) {
        const std::uint64_t links = cut_links(edges, set);
        found.edges = std::min(found.edges, links);
        if (static_cast<NodeId>(std::popcount(set)) == n / 2)
            found.bisection = std::min(found.bisection, links);
        if (!are_connected(edges, all & ~set))
            found.nodes = std::min<std::uint64_t>(found.nodes, static_cast<unsigned>(std::popcount(set)));
    }
    return found;
}

// The fewest links of a path between the ends of a link without it, and that link.
std::optional<unsigned> girth_by_removal(const Edges& edges, NodeId n)
{
    std::optional<unsigned> shortest;
    for (const auto& removed : edges) {
        std::vector<unsigned> hops(n, n);
        hops[removed.first] = 0;
        for (NodeId round = 0; round < n; ++round)
            for (const auto& edge : edges)
                if (edge != removed) {
                    hops[edge.first] = std::min(hops[edge.first], hops[edge.second] + 1);
                    hops[edge.second] = std::min(hops[edge.second], hops[edge.first] + 1);
                }
        if (hops[removed.second] < n)
            shortest = std::min(shortest.value_or(n), hops[removed.second] + 1);
    }
    return shortest;
}

void check_against_brute_force(const Topology& topology)
{
    const Topology& members = topology.of_members();
    CAPTURE(topology.name());
    const Edges edges = edges_of(members);
    const BruteForce expected = brute_force(edges, members.nodes());
    const BisectionWidth width = bisection_width(topology);
    CHECK(width.least == expected.bisection);
    CHECK(width.most == expected.bisection);
    CHECK(edge_connectivity(topology) == expected.edges);
    CHECK(node_connectivity(topology) == expected.nodes);
    CHECK(girth(topology) == girth_by_removal(edges, members.nodes()));
}

// A random tree and some more links.
Topology random_network(std::mt19937_64& random)
{
    const auto n = static_cast<NodeId>(2 + random() % 9);
    Edges edges;
    for (NodeId node = 1; node < n; ++node)
        edges.emplace_back(static_cast<NodeId>(random() % node), node);
    const std::uint64_t dense = random() % 8;
    for (NodeId a = 0; a < n; ++a)
        for (NodeId b = a + 1; b < n; ++b)
            if (random() % 8 < dense && std::ranges::find(edges, std::pair(a, b)) == edges.end())
                edges.emplace_back(a, b);
    return Topology::product({Graph::from_edges("random", edges)});
}

struct Row {
    std::string network;
    std::uint64_t bisection;
    std::uint64_t connectivity;  // by links and by nodes
    std::optional<unsigned> girth;
};

}  // namespace

TEST_CASE("connectivity: the textbooks' table of static networks", "[graphs]")
{
    const Row rows[] = {{"hypercube:0", 0, 0, {}}, {"hypercube:1", 1, 1, {}},
                        {"hypercube:3", 4, 3, 4},  {"hypercube:10", 512, 10, 4},
                        {"complete:8", 16, 7, 3},  {"complete:7", 12, 6, 3},
                        {"path:9", 1, 1, {}},      {"ring:9", 2, 2, 9},
                        {"mesh:6x6", 6, 2, 4},     {"mesh:5x5", 6, 2, 4},
                        {"mesh:4x4x4", 16, 3, 4},  {"torus:6x6", 12, 4, 4},
                        {"torus:5x5", 12, 4, 4},   {"kary:4^3", 32, 6, 4},
                        {"torus:3x3", 8, 4, 3},    {"petersen", 5, 3, 5},
                        {"star:4", 8, 3, 6},       {"pancake:4", 8, 3, 6},
                        {"ccc:3", 4, 3, 3},        {"ccc:4", 8, 3, 4},
                        {"ghc:4x4", 16, 6, 3},     {"torus:1000x1000", 2000, 4, 4}};
    for (const Row& row : rows) {
        CAPTURE(row.network);
        const Topology topology = Topology::parse(row.network);
        const BisectionWidth width = bisection_width(topology);
        CHECK(width.exact());
        CHECK(width.most == row.bisection);
        CHECK(edge_connectivity(topology) == row.connectivity);
        CHECK(node_connectivity(topology) == row.connectivity);
        CHECK(girth(topology) == row.girth);
    }
}

TEST_CASE("connectivity: a star of hosts, a binary tree, and a bridge between two triangles", "[graphs]")
{
    const auto drawn = [](const char* text) { return Topology::product({Graph::from_text("drawn", text)}); };
    const Topology star = drawn("0 1\n0 2\n0 3\n0 4\n0 5\n0 6\n0 7\n0 8\n");
    CHECK(bisection_width(star).most == 4);
    CHECK(bisection_width(star).exact());
    CHECK(edge_connectivity(star) == 1);
    CHECK(node_connectivity(star) == 1);
    CHECK_FALSE(girth(star));
    CHECK(bisection_width(drawn("0 1\n0 2\n1 3\n1 4\n2 5\n2 6\n")).most == 1);
    const Topology triangles = drawn("0 1\n1 2\n2 0\n3 4\n4 5\n5 3\n0 3\n0 4\n");
    CHECK(edge_connectivity(triangles) == 2);
    CHECK(node_connectivity(triangles) == 1);
    CHECK(girth(triangles) == 3);
}

TEST_CASE("connectivity: random graphs agree with a look at all sets of nodes", "[graphs]")
{
    std::mt19937_64 random(44);
    for (int i = 0; i < 150; ++i)
        check_against_brute_force(random_network(random));
}

TEST_CASE("connectivity: products and families agree with a look at all sets of nodes", "[graphs]")
{
    for (const char* const name : {"hypercube:2",
                                   "hypercube:3",
                                   "hypercube:4",
                                   "mesh:2x3",
                                   "mesh:3x3",
                                   "mesh:2x2x3",
                                   "mesh:3x5",
                                   "mesh:3x4",
                                   "torus:3x3",
                                   "torus:3x4",
                                   "torus:3x5",
                                   "torus:4x4",
                                   "ring:3*path:2",
                                   "ring:4*path:3",
                                   "ring:5*path:3",
                                   "ghc:3x4",
                                   "ghc:3x5",
                                   "ghc:2x5",
                                   "complete:6",
                                   "ring:3*path:2*path:2",
                                   "circulant:13,1,5",
                                   "hypercube:4 without 0-1,9",
                                   "petersen without 0",
                                   "path:3*complete:4",
                                   "torus:3x3 without 4"})
        check_against_brute_force(Topology::parse(name));
}

TEST_CASE("connectivity: where the width is not found it lies between bounds", "[graphs][long]")
{
    for (const char* const name : {"star:5", "ghc:3x4x5", "torus:5x5x5*path:2", "circulant:600,1,7,30"}) {
        CAPTURE(name);
        const BisectionWidth width = bisection_width(Topology::parse(name));
        CHECK(width.least > 0);
        CHECK(width.least < width.most);
        CHECK_FALSE(width.exact());
    }
    // For a network with a formula, given as a graph, the bounds hold.
    for (const char* const name : {"torus:9x9", "mesh:8x9", "hypercube:7"}) {
        CAPTURE(name);
        const Topology family = Topology::parse(name);
        const Topology plain = Topology::product({Graph::from_edges("plain", edges_of(family))});
        const std::uint64_t width = bisection_width(family).most;
        CHECK(bisection_width(plain).least <= width);
        CHECK(bisection_width(plain).most >= width);
        CHECK((bisection_width(plain).exact() || !plain.recognised()));
        CHECK(edge_connectivity(plain) == edge_connectivity(family));
        CHECK(node_connectivity(plain) == node_connectivity(family));
        CHECK(girth(plain) == girth(family));
    }
}
