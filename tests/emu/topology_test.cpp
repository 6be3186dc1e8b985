// Graphs, their products, and the words that name them.

#include "tests/support/catch.hpp"
#include "tests/support/networks.hpp"

#include <dcube/error.hpp>
#include <dcube/topology.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace dcube;

namespace {

const char* const networks[] = {
    "hypercube:0", "hypercube:4", "torus:3x4", "torus:2x5",        "mesh:4x6",        "ghc:3x4x5",
    "kary:3^3",    "ring:5",      "path:4",    "complete:6",       "star:4",          "pancake:4",
    "ccc:3",       "petersen",    "mesh:2x3",  "circulant:13,1,5", "circulant:8,4,1", "ring:5*path:4*complete:3",
    "star:3*ccc:3"};

// Distances from one node, breadth first over the ports.
std::vector<unsigned> distances_from(const Topology& topology, NodeId from)
{
    std::vector<unsigned> distances(topology.nodes(), ~0U);
    std::vector<NodeId> reached{from};
    distances[from] = 0;
    for (std::size_t next = 0; next < reached.size(); ++next)
        for (Port port = 0; port < topology.ports(reached[next]); ++port)
            if (const NodeId node = topology.neighbour(reached[next], port); distances[node] == ~0U) {
                distances[node] = distances[reached[next]] + 1;
                reached.push_back(node);
            }
    return distances;
}

// Links lead there and back, and distances, diameter and statuses are those of a search.
void check_network(const Topology& topology)
{
    std::uint64_t links = 0;
    std::uint64_t statuses = 0;
    unsigned diameter = 0;
    Port most_ports = 0;
    for (NodeId node = 0; node < topology.nodes(); ++node) {
        const std::vector<unsigned> distances = distances_from(topology, node);
        std::uint64_t status = 0;
        for (NodeId other = 0; other < topology.nodes(); ++other) {
            REQUIRE(topology.distance(node, other) == distances[other]);
            status += distances[other];
            diameter = std::max(diameter, distances[other]);
        }
        CHECK(topology.status(node) == status);
        statuses += status;
        std::set<NodeId> neighbours;
        for (Port port = 0; port < topology.ports(node); ++port) {
            const NodeId neighbour = topology.neighbour(node, port);
            neighbours.insert(neighbour);
            REQUIRE(topology.neighbour(neighbour, topology.arrival_port(node, port)) == node);
            REQUIRE(topology.distance(node, neighbour) == 1);
            REQUIRE(topology.link(node, port) == links + port);
        }
        CHECK(neighbours.size() == topology.ports(node));
        links += topology.ports(node);
        most_ports = std::max(most_ports, topology.ports(node));
    }
    CHECK(topology.directed_links() == links);
    CHECK(topology.sum_of_statuses() == statuses);
    CHECK(topology.diameter() == diameter);
    CHECK(topology.max_ports() == most_ports);
}

// A port changes one digit, and ports stand in the order of the digits, the last one's first.
void check_digits(const Topology& topology)
{
    for (NodeId node = 0; node < topology.nodes(); ++node) {
        Port port = 0;
        for (unsigned i = topology.dimension(); i-- > 0;) {
            CHECK(topology.first_port(node, i) == port);
            const NodeId digit = topology.digit(node, i);
            for (Port inside = 0; inside < topology.factor(i).ports(digit); ++inside, ++port)
                REQUIRE(topology.neighbour(node, port) ==
                        node + (topology.factor(i).neighbour(digit, inside) - digit) * topology.stride(i));
        }
        CHECK(port == topology.ports(node));
    }
}

// Translations take nodes one to one; in Cayley graphs they keep ports, too.
void check_translations(const Topology& topology)
{
    for (NodeId origin = 0; origin < topology.nodes(); ++origin) {
        REQUIRE(topology.translate(0, origin) == origin);
        for (NodeId node = 0; node < topology.nodes(); ++node) {
            const NodeId image = topology.translate(node, origin);
            REQUIRE(topology.untranslate(image, origin) == node);
            for (Port port = 0; topology.symmetric() && port < topology.ports(node); ++port)
                REQUIRE(topology.neighbour(image, port) == topology.translate(topology.neighbour(node, port), origin));
        }
    }
}

std::string complaint(const std::string& text)
{
    try {
        Topology::parse(text);
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "none";
}

class GraphFile {
public:
    explicit GraphFile(const std::string& text)
        : path_(std::filesystem::temp_directory_path() / ("dcube-graph-" + std::to_string(std::random_device()())))
    {
        std::ofstream(path_) << text;
    }
    ~GraphFile() { std::filesystem::remove(path_); }
    GraphFile(const GraphFile&) = delete;
    GraphFile& operator=(const GraphFile&) = delete;

    [[nodiscard]] std::string name() const { return "graph:" + path_.string(); }

private:
    std::filesystem::path path_;
};

}  // namespace

TEST_CASE("topologies: links, distances, statuses, digits and translations", "[topology]")
{
    for (const char* const text : networks) {
        INFO(text);
        const Topology topology = Topology::parse(text);
        check_network(topology);
        check_digits(topology);
        check_translations(topology);
    }
}

TEST_CASE("topologies: random irregular products have right links, distances, digits and translations", "[topology]")
{
    for (unsigned seed = 1; seed <= 30; ++seed) {
        INFO(seed);
        const Topology topology = dcube::test::random_product(seed);
        check_network(topology);
        check_digits(topology);
        check_translations(topology);
    }
}

TEST_CASE("topologies: the hypercube is a product of graphs of two nodes", "[topology]")
{
    const Topology cube = Topology::hypercube(3);
    for (const char* const text : {"torus:2x2x2", "mesh:2x2x2", "ghc:2x2x2", "kary:2^3", "ring:2*path:2*complete:2",
                                   "hypercube:1*hypercube:2"}) {
        INFO(text);
        CHECK(Topology::parse(text) == cube);
        CHECK(Topology::parse(text).is_hypercube());
    }
    CHECK_FALSE(Topology::parse("torus:2x2x3").is_hypercube());
    CHECK(cube.neighbour(5, 1) == 7);
    CHECK(cube.factor(0).nodes() == 2);
    CHECK(Topology::parse("torus:2x4").ports(0) == 3);  // a ring of two nodes is one link
}

TEST_CASE("topologies: networks have the distance sums of the literature", "[topology]")
{
    const std::map<std::string, std::uint64_t> statuses = {
        {"star:3", 9},  {"star:4", 62},   {"star:5", 442},          {"pancake:4", 60},  {"ccc:3", 74},
        {"ccc:4", 296}, {"petersen", 15}, {"circulant:13,1,5", 20}, {"ghc:3x4x5", 133}, {"hypercube:8", 1024}};
    for (const auto& [text, status] : statuses) {
        INFO(text);
        CHECK(Topology::parse(text).status(0) == status);
    }
    CHECK(Topology::parse("mesh:3x5").sum_of_statuses() == 560);  // 15 times 112/3
}

TEST_CASE("topologies: networks are equal if their factors are, and print their names", "[topology]")
{
    CHECK(Topology::parse("ring:5*path:4").name() == "ring:5*path:4");
    CHECK(Topology::product({Graph::ring(5), Graph::path(4)}).name() == "ring:5*path:4");
    CHECK(Topology::product({Graph::ring(5), Graph::path(4)}) == Topology::parse("torus:5*mesh:4"));
    CHECK_FALSE(Topology::parse("mesh:3x4") == Topology::parse("mesh:4x3"));
    CHECK_FALSE(Topology::parse("mesh:2x2") == Topology::parse("mesh:2x3"));
    CHECK_FALSE(Topology::parse("hypercube:2") == Topology::parse("hypercube:3"));
    CHECK_FALSE(Graph::ring(3) == Graph::complete(3));  // the ports are the same, the kinds are not
}

TEST_CASE("topologies: a graph is read from a file", "[topology]")
{
    const GraphFile square("# four nodes\n0 1\n 1\t2  # an edge\n\n2 3\r\n3 0");
    const Topology topology = Topology::parse(square.name());
    CHECK(topology.nodes() == 4);
    CHECK(topology.diameter() == 2);
    CHECK_FALSE(topology.symmetric());
    CHECK(Topology::parse(square.name() + "*path:3").nodes() == 12);
    CHECK(Topology::parse(GraphFile("\xEF\xBB\xBF"
                                    "0 1\n1 2\n\n")
                              .name())
              .nodes() == 3);

    const std::map<std::string, std::string> wrong = {
        {"0 1\n2 3\n", "is not connected"},
        {"0 1\n1 1\n", "line 2: an edge leads from node 1 to itself"},
        {"0 0\n", "line 1: an edge leads from node 0 to itself"},
        {"0 1\n\n0 1\n", "line 3: the edge between nodes 0 and 1 stands there twice, first in line 1"},
        {"0 1\n1 2\n1 0\n", "line 2: the edge from node 1 to node 2 stands there in one direction, that in line 1 in "
                            "both: links lead both ways"},
        {"0 1\n1 x\n", "line 2: an edge is two node numbers"},
        {"0 1 2.5\n", "line 1: '2.5' stands behind an edge: an edge is two node numbers"},
        {"1 2\n0 1 {'weight': 2.5}\n", "line 2: '{'weight': 2.5}' stands behind an edge"},
        {"5 7\n9 11\n", "is not connected: no path leads from node 0 to node 2, where nodes are numbered from 0 in "
                        "ascending order of their ids"},
        {"0\n", "line 1: an edge is two node numbers"},
        {"0 -1\n", "line 1: an edge is two node numbers"},
        {"0 99999999999\n", "line 1: an edge is two node numbers"},
        {"# nothing\n", "has no edges"},
        {"", "has no edges"},
    };
    for (const auto& [text, expected] : wrong) {
        INFO(text);
        CHECK_THAT(complaint(GraphFile(text).name()), Catch::Contains(expected));
    }
    std::string path_of_many;
    for (int node = 0; node < 4096; ++node)
        path_of_many += std::to_string(node) + " " + std::to_string(node + 1) + "\n";
    CHECK_THAT(complaint(GraphFile(path_of_many).name()), Catch::Contains("has 4097 nodes: at most 4096 are allowed"));
    std::string star_of_many;
    for (int leaf = 1; leaf <= 600; ++leaf)
        star_of_many += "0 " + std::to_string(leaf) + "\n";
    CHECK_THAT(complaint(GraphFile(star_of_many).name()), Catch::Contains("node 0 has 600 neighbours, at most 511"));
    CHECK_THAT(complaint("graph:/no/such/file"), Catch::Contains("there is no such file"));
    CHECK_THAT(complaint("graph:/"), Catch::Contains("this is not a regular file"));
}

TEST_CASE("topologies: edge lists as other tools write them are the same graph", "[topology]")
{
    const Graph square = Graph::from_text("square", "0 1\n1 2\n2 3\n3 0\n");
    CHECK(square.ids().empty());
    for (const char* const text : {
             "0 1 {}\n1 2 {}\n2 3 {}\n0 3 {}\n",                                      // networkx
             "# Nodes: 4 Edges: 4\n0\t1\n1\t2\n2\t3\n3\t0\n",                         // SNAP
             "% a square\n0,1\n1,2\n2, 3\n3,0\n",                                     // commas
             "// both directions\n0 1\n1 0\n1 2\n2 1\n2 3\n3 2\n0 3 // back\n3 0\n",  // arcs
         })
        CHECK(Graph::from_text("square", text) == square);
    const Graph gaps = Graph::from_text("square", "3 70\n70 1000000\n1000000 2000000\n2000000 3\n");
    CHECK(gaps == square);
    CHECK(gaps.ids() == std::vector<NodeId>{3, 70, 1000000, 2000000});
}

TEST_CASE("topologies: a graph in another format is named, and not read", "[topology]")
{
    const std::map<std::string, std::string> formats = {
        {"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n2 1\n3 2\n3 1\n", "a Matrix Market file"},
        {"3 3\n2 3\n1 3\n1 2\n", "a METIS graph"},
        {"% a path\n3 2\n2\n1 3\n2\n", "a METIS graph"},
        {"c a triangle\np edge 3 3\ne 1 2\ne 2 3\ne 3 1\n", "a DIMACS graph"},
        {"p edge 3 3\ne 1 2\ne 2 3\ne 3 1\n", "a DIMACS graph"},
        {"router 0 node 0 router 1\nrouter 1 node 1 router 0\n", "a BookSim anynet file"},
        {"2 0 1\n\n0 1 200Gbps 0.005ms 0\n", "an ns-3 topology of ASTRA-sim"},
        {"<?xml version='1.0'?>\n<graphml>\n", "a GraphML or XML file"},
        {"graph [\n  node [\n", "a GML or DOT graph"},
        {"graph {\n 0 -- 1\n", "a GML or DOT graph"},
        {"{\"nodes\": []}\n", "JSON"},
    };
    for (const auto& [text, format] : formats) {
        INFO(text);
        CHECK_THAT(complaint(GraphFile(text).name()),
                   Catch::Contains("looks like " + format + ", which is not read: expected an edge a line"));
    }
}

TEST_CASE("topologies: a wrong name is refused in one line", "[topology]")
{
    const std::map<std::string, std::string> wrong = {
        {"", "'' is not a topology: there are hypercube:10"},
        {"moebius:4", "'moebius:4' is not a topology"},
        {"ring:5*", "'ring:5*' is not a topology"},
        {"*ring:5", "'*ring:5' is not a topology"},
        {"torus:", "'torus:' is not a topology: expected e.g. torus:8x8x8"},
        {"torus:8x", "expected e.g. torus:8x8x8"},
        {"torus:8,8", "expected e.g. torus:8x8x8"},
        {"mesh:4x-6", "expected e.g. mesh:4x6"},
        {"ring:5x5", "expected e.g. ring:5"},
        {"kary:4", "expected e.g. kary:4^3"},
        {"kary:4^3^2", "expected e.g. kary:4^3"},
        {"kary:4^0", "0 dimensions are not possible: expected 1 to 24"},
        {"hypercube:25", "0 to 24 are allowed"},
        {"hypercube:", "expected e.g. hypercube:10"},
        {"ring:1", "ring:1 is not possible: expected 2 to 4096"},
        {"ring:5000", "expected 2 to 4096"},
        {"path:0", "expected 2 to 4096"},
        {"complete:513", "expected 2 to 512"},
        {"star:2", "star:2 is not possible: expected 3 to 6"},
        {"star:7", "expected 3 to 6"},
        {"pancake:9", "expected 3 to 6"},
        {"ccc:2", "expected 3 to 8"},
        {"circulant:13", "expected e.g. circulant:13,1,5"},
        {"circulant:6,2", "is not connected"},
        {"circulant:6,0", "offset 0 is not possible: expected 1 to 5"},
        {"circulant:6,6", "offset 6 is not possible: expected 1 to 5"},
        {"circulant:6,1,5", "offset 5 makes the same links as one before it"},
        {"petersen:10", "expected e.g. petersen"},
        {"graph:", "expected e.g. graph:FILE"},
        {"torus:1024x1024x2", "2097152 nodes: at most 1048576 are allowed"},
        {"ghc:300x300", "598 ports at a node: at most 511 are allowed"},
        {"complete:256*ring:2048", "directed links: at most 33554432 are allowed"},
        {"hypercube:24*ring:3", "25 factors: at most 24 are allowed"},
    };
    for (const auto& [text, expected] : wrong) {
        INFO(text);
        const std::string said = complaint(text);
        CHECK_THAT(said, Catch::Contains(expected));
        CHECK(said.find('\n') == std::string::npos);
    }
}

TEST_CASE("the ports towards a node are those that begin a shortest path", "[topology]")
{
    using Ports = std::vector<Port>;
    const Topology cube = Topology::hypercube(4);
    CHECK(cube.ports_towards(0b0000, 0b1010) == Ports{1, 3});
    CHECK(cube.ports_towards(0b1111, 0b1111).empty());
    // On a torus of 4 x 5 ports 0 and 1 go along the ring of five, 2 and 3 along the ring of four.
    const Topology torus = Topology::parse("torus:4x5");
    CHECK(torus.ports_towards(0, 2) == Ports{0});
    CHECK(torus.ports_towards(0, 3) == Ports{1});
    CHECK(torus.ports_towards(0, 2 * 5 + 1) == Ports{0, 2, 3});
    for (const char* const network : {"mesh:3x4", "star:4", "petersen*path:3", "ghc:2x3x3"}) {
        const Topology topology = Topology::parse(network);
        for (NodeId from = 0; from < topology.nodes(); ++from)
            for (NodeId to = 0; to < topology.nodes(); ++to) {
                Ports nearer;
                for (Port port = 0; port < topology.ports(from); ++port)
                    if (topology.distance(topology.neighbour(from, port), to) < topology.distance(from, to))
                        nearer.push_back(port);
                CHECK(topology.ports_towards(from, to) == nearer);
            }
    }
}

TEST_CASE("topology: a port by direction leads one up or down in its dimension", "[emu]")
{
    for (const char* const name :
         {"hypercube:3", "torus:3x4x5", "mesh:4x2x3", "torus:5x2", "ring:6", "path:3*ring:4"}) {
        CAPTURE(name);
        const Topology topology = Topology::parse(name);
        for (NodeId node = 0; node < topology.nodes(); ++node)
            for (unsigned i = 0; i < topology.dimension(); ++i)
                for (const int direction : {1, -1}) {
                    const NodeId size = topology.factor(i).nodes();
                    const NodeId digit = topology.digit(node, i);
                    const NodeId there = (digit + size + static_cast<NodeId>(direction)) % size;
                    if (topology.is_end(node, i, direction)) {
                        CHECK(digit == (direction == 1 ? size - 1 : 0));
                        CHECK(topology.factor(i).kind() == Graph::Kind::path);
                        continue;
                    }
                    const NodeId neighbour = topology.neighbour(node, topology.port_to(node, i, direction));
                    REQUIRE(neighbour == node + (there - digit) * topology.stride(i));
                }
    }
}

TEST_CASE("topology: where there is no direction, or no port in it, an error says so", "[emu][negative]")
{
    const Topology mesh = Topology::parse("mesh:4x6");
    CHECK(mesh.is_end(5, 1, 1));
    CHECK_THROWS_WITH(mesh.port_to(5, 1, 1),
                      "node 5 of mesh:4x6 is at the end of dimension 1 in direction +1: there is no port");
    CHECK_THROWS_WITH(mesh.port_to(0, 0, -1),
                      "node 0 of mesh:4x6 is at the end of dimension 0 in direction -1: there is no port");
    CHECK_THROWS_WITH(mesh.port_to(0, 0, 0), "0 is not a direction: expected +1 or -1");
    CHECK_THROWS_WITH(mesh.port_to(0, 2, 1), Catch::Contains("no dimension 2: 0 to 1 are there"));
    CHECK_THROWS_WITH(mesh.port_to(24, 0, 1), Catch::Contains("no node 24: 0 to 23 are there"));
    CHECK_THROWS_WITH(Topology::parse("complete:5").port_to(0, 0, 1),
                      "dimension 0 of complete:5 has no directions: rings and paths have");
}

TEST_CASE("topology: a number that is no node cannot be translated", "[emu][negative]")
{
    const Topology torus = Topology::parse("torus:6x6");
    CHECK_THROWS_WITH(torus.translate(36, 0), "node 36 cannot be translated by 0: torus:6x6 has nodes 0 to 35");
    CHECK_THROWS_AS(torus.translate(0, 36), InvalidArgument);
    CHECK_THROWS_AS(torus.untranslate(~NodeId{0}, 3), InvalidArgument);
}
