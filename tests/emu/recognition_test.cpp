// Graphs that are recognised as networks of known families, and the numbers of their nodes and ports there.

#include "tests/support/catch.hpp"
#include "tests/support/recognised_networks.hpp"

#include <dcube/graph.hpp>
#include <dcube/random.hpp>
#include <dcube/topology.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace dcube;
using namespace dcube::test;

namespace {

using Edges = std::vector<std::pair<NodeId, NodeId>>;

Topology graph(const Edges& edges)
{
    return Topology::product({Graph::from_edges("graph", edges)});
}

// "" if it is not recognised.
std::string recognised(const Topology& topology)
{
    return topology.recognised() ? topology.recognised()->network.name() : "";
}

}  // namespace

TEST_CASE("recognition: products of rings, paths and complete graphs are found under any numbers", "[recognised]")
{
    for (const RecognisedCase& one : recognised_cases)
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            CAPTURE(one.network, seed);
            const Topology topology = from_edges_of(one.network, seed);
            REQUIRE(recognised(topology) != "");
            const Recognition& known = *topology.recognised();
            if (seed == 0)
                CHECK(recognised(topology) == one.recognised);
            CHECK(known.network.directed_links() == topology.directed_links());
            for (NodeId node = 0; node < topology.nodes(); ++node) {
                REQUIRE(known.here[known.there[node]] == node);
                for (Port port = 0; port < topology.ports(node); ++port) {
                    const std::uint64_t link = known.network.link(known.there[node], port);
                    CHECK(known.there[topology.neighbour(node, known.ports[link])] ==
                          known.network.neighbour(known.there[node], port));
                }
            }
        }
}

TEST_CASE("recognition: numbers that are the known network's own are kept", "[recognised]")
{
    for (const char* const network :
         {"hypercube:5", "ring:6", "ring:3", "path:5", "complete:5", "ghc:2x4", "ghc:4x2", "torus:3x5", "torus:5x3",
          "mesh:3x4", "mesh:2x6", "ring:5*path:3", "ring:4*path:3", "path:3*ring:4", "torus:4x5",
          "ring:4*path:2*complete:4", "torus:4x3x4"}) {
        CAPTURE(network);
        const Topology topology = from_edges_of(network, 0);
        REQUIRE(topology.recognised());
        CHECK(!topology.recognised()->renames());
        CHECK(topology.recognised()->called == topology.recognised()->network);
    }
    CHECK(recognised(from_edges_of("ghc:2x4", 0)) == "ghc:2x4");
    CHECK(recognised(from_edges_of("torus:5x3", 0)) == "torus:5x3");
    CHECK(recognised(from_edges_of("ring:4*path:3", 0)) == "ring:4*path:3");
    CHECK(recognised(from_edges_of("ring:4*path:3", 1)) == "mesh:2x2x3");  // under other numbers all the same
    CHECK(recognised(from_edges_of("hypercube:1", 0)).empty());            // two nodes are a hypercube as they are
}

TEST_CASE("recognition: star and pancake graphs, cube-connected cycles and circulants are found", "[recognised]")
{
    for (const char* const network : {"star:4", "star:5", "pancake:4", "pancake:5", "ccc:3", "ccc:4", "ccc:5",
                                      "circulant:13,1,5", "circulant:20,1,3"})
        for (const std::uint64_t seed : {0U, 1U, 2U}) {
            CAPTURE(network, seed);
            CHECK(recognised(from_edges_of(network, seed)) == network);
        }
    CHECK(recognised(from_edges_of("star:4*ring:5", 0)) == "star:4*ring:5");
    CHECK(recognised(from_edges_of("star:4*ring:5", 1)) == "ring:5*star:4");
}

TEST_CASE("recognition: a graph that is no known product is not recognised", "[recognised]")
{
    CHECK(recognised(Topology::parse("petersen")).empty());
    CHECK(recognised(graph({{0, 1}, {1, 2}, {1, 3}})).empty());                          // a star of four
    CHECK(recognised(graph({{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}})).empty());          // a square with a diagonal
    CHECK(recognised(graph({{0, 3}, {0, 4}, {1, 3}, {1, 4}, {2, 3}, {2, 4}})).empty());  // two and three nodes
    // The 4-cube with two of its links crossed looks like one near node 0.
    Edges crossed;
    for (NodeId node = 0; node < 16; ++node)
        for (NodeId bit = 1; bit < 16; bit *= 2)
            if ((node & bit) == 0)
                crossed.emplace_back(node, node | bit);
    std::erase(crossed, std::pair<NodeId, NodeId>(14, 15));
    std::erase(crossed, std::pair<NodeId, NodeId>(3, 11));
    crossed.emplace_back(14, 11);
    crossed.emplace_back(3, 15);
    CHECK(recognised(graph(crossed)).empty());
    CHECK(recognised(Topology::parse("torus:4x4")).empty());  // named as its user wants it
    CHECK(recognised(
              from_edges_of("hypercube:3", 2).without({{{0, from_edges_of("hypercube:3", 2).neighbour(0, 0)}}, {}}))
              .empty());
}

TEST_CASE("recognition: random changes of a link are never taken for the network", "[recognised]")
{
    Random random(4);
    for (const RecognisedCase& one : recognised_cases)
        for (unsigned round = 0; round < 10; ++round) {
            const Topology topology = from_edges_of(one.network, round);
            Edges edges;
            for (NodeId node = 0; node < topology.nodes(); ++node)
                for (Port port = 0; port < topology.ports(node); ++port)
                    if (topology.neighbour(node, port) > node)
                        edges.emplace_back(node, topology.neighbour(node, port));
            const auto a = static_cast<NodeId>(random.below(topology.nodes()));
            const auto b = static_cast<NodeId>(random.below(topology.nodes()));
            if (a == b || topology.distance(a, b) == 1)
                continue;
            edges.emplace_back(a, b);
            CAPTURE(one.network, round, a, b);
            const std::string found = recognised(graph(edges));
            CHECK((found.empty() || Topology::parse(found).directed_links() == topology.directed_links() + 2));
        }
}

TEST_CASE("recognition: in a product each factor is looked at", "[recognised]")
{
    const Graph cube = from_edges_of("hypercube:2", 1).factor(0);
    CHECK(recognised(Topology::product({cube, Graph::path(3)})) == "mesh:2x2x3");
    CHECK(recognised(Topology::product({Graph::petersen(), cube})) == "petersen*complete:2*complete:2");
    CHECK(recognised(Topology::product({Graph::complete(2), cube})) == "hypercube:3");
}
