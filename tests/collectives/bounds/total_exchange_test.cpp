// Distances, cuts, and the least steps of a total exchange.

#include "collectives/bounds/any_network.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/networks_table.hpp"

#include <dcube/bounds.hpp>
#include <dcube/link.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <bit>
#include <optional>
#include <random>
#include <utility>
#include <vector>

using namespace dcube;

namespace {

std::optional<ExchangeBound> bound(const Topology& topology, PortModel ports, std::string_view name)
{
    for (const ExchangeBound& one : exchange_bounds(topology, ports))
        if (one.name == name)
            return one;
    return std::nullopt;
}

std::uint64_t steps(const Topology& topology, PortModel ports, std::string_view name)
{
    const std::optional<ExchangeBound> found = bound(topology, ports, name);
    REQUIRE(found.has_value());
    return found->steps;
}

// The largest |V1||V2|/c of all splits, one by one.
Rational every_cut(const Topology& topology)
{
    Rational largest{};
    for (std::uint32_t inside = 1; inside < std::uint32_t{1} << (topology.nodes() - 1); ++inside) {
        std::int64_t cut = 0;
        for (NodeId node = 0; node < topology.nodes(); ++node)
            for (Port port = 0; port < topology.ports(node); ++port)
                cut += (inside >> node & 1) == 1 && (inside >> topology.neighbour(node, port) & 1) == 0 ? 1 : 0;
        const std::int64_t size = std::popcount(inside);
        largest = std::max(largest, Rational{size * (topology.nodes() - size), cut});
    }
    return largest;
}

// The packets whose way leaves the node, of all pairs.
std::uint64_t sent_or_passed_on(const Topology& tree, NodeId node)
{
    std::uint64_t count = 0;
    for (NodeId from = 0; from < tree.nodes(); ++from)
        for (NodeId to = 0; to < tree.nodes(); ++to)
            if (to != node && to != from &&
                tree.distance(from, node) + tree.distance(node, to) == tree.distance(from, to))
                ++count;
    return count;
}

bool equal(const Rational& a, const Rational& b)
{
    return (a <=> b) == 0;
}

// Tries every assignment of receivers to senders.
std::uint64_t most_moves(const Topology& topology, NodeId sender, std::uint32_t used)
{
    if (sender == topology.nodes())
        return 0;
    std::uint64_t most = most_moves(topology, sender + 1, used);
    for (Port port = 0; port < topology.ports(sender); ++port)
        if (const NodeId to = topology.neighbour(sender, port); (used >> to & 1) == 0)
            most = std::max(most, 1 + most_moves(topology, sender + 1, used | std::uint32_t{1} << to));
    return most;
}

}  // namespace

TEST_CASE("networks: the expected distances and bounds", "[network][slow]")
{
    for (const dcube::test::NetworkRow& row : dcube::test::networks_table) {
        INFO(row.network);
        const Topology topology = Topology::parse(row.network);
        CHECK(topology.nodes() == row.nodes);
        CHECK(average_status(topology) == row.average_status);
        CHECK(average_distance(topology).to_double() == Approx(row.average_distance).epsilon(1e-4));
        CHECK(topology.diameter() == row.diameter);
        CHECK(steps(topology, PortModel::one, "L1") == row.l1);
        CHECK(steps(topology, PortModel::one, "L2") == row.l2);
        CHECK(steps(topology, PortModel::all, row.bound) == row.all_ports);
        CHECK(steps(topology, PortModel::all, "L7") == row.diameter);
    }
}

TEST_CASE("networks: closed forms of the average distance are what a search finds", "[network]")
{
    for (const char* const text :
         {"hypercube:1", "hypercube:6", "ghc:3x4x5", "complete:7", "torus:3x4", "torus:2x5x6", "kary:5^2", "kary:4^3",
          "ring:9", "mesh:3x5", "mesh:2x3x4", "path:10", "torus:3x3"}) {
        INFO(text);
        const Topology topology = Topology::parse(text);
        const std::optional<ClosedForm> form = average_distance_formula(topology);
        REQUIRE(form.has_value());
        CHECK(form->value == average_distance(topology));
        std::uint64_t sum = 0;
        for (NodeId a = 0; a < topology.nodes(); ++a)
            for (NodeId b = 0; b < topology.nodes(); ++b)
                sum += topology.distance(a, b);
        const std::uint64_t pairs = std::uint64_t{topology.nodes()} * (topology.nodes() - 1);
        CHECK(equal(form->value, {static_cast<std::int64_t>(sum), static_cast<std::int64_t>(pairs)}));
    }
    CHECK_FALSE(average_distance_formula(Topology::parse("star:4")).has_value());
    CHECK_FALSE(average_distance_formula(Topology::parse("ring:5*path:4")).has_value());
    CHECK_FALSE(average_distance_formula(Topology::hypercube(0)).has_value());
}

TEST_CASE("networks: the status of products, node by node", "[network]")
{
    for (unsigned seed = 1; seed <= 60; ++seed) {
        const Topology topology = dcube::test::random_product(seed);
        INFO("seed " << seed);
        for (NodeId node = 0; node < topology.nodes(); ++node) {
            std::uint64_t sum = 0;
            for (NodeId other = 0; other < topology.nodes(); ++other)
                sum += topology.distance(node, other);
            REQUIRE(topology.status(node) == sum);
        }
    }
}

TEST_CASE("networks: the best cut of every kind of graph is found", "[network]")
{
    for (const char* const text : {"ring:5", "ring:8", "ring:12", "path:2", "path:7", "path:8", "complete:6",
                                   "petersen", "circulant:8,1,3", "star:3"}) {
        INFO(text);
        const Topology topology = Topology::parse(text);
        CHECK(equal(cut_ratio(topology.factor(0)), every_cut(topology)));
    }
    CHECK(equal(cut_ratio(Graph::cube_connected_cycles(3)), {36, 1}));
    CHECK(equal(cut_ratio(Graph::cube_connected_cycles(4)), {128, 1}));
    CHECK(equal(cut_ratio(Graph::petersen()), {5, 1}));
    for (unsigned seed = 1; seed <= 20; ++seed) {
        const Topology topology = dcube::test::random_product(seed);
        if (topology.nodes() > 14 || topology.is_hypercube())
            continue;
        INFO("seed " << seed);
        const std::optional<ExchangeBound> all_cuts = bound(topology, PortModel::all, "L4");
        REQUIRE(all_cuts.has_value());
        CHECK(equal(all_cuts->value, every_cut(topology)));
        CHECK(bound(topology, PortModel::all, "L5")->value <= all_cuts->value);
    }
}

TEST_CASE("networks: the most packets that can move in one step are counted", "[network]")
{
    for (const char* const text :
         {"mesh:3x3", "path:5", "path:6", "star:3", "petersen", "ring:7", "mesh:2x3", "complete:4"}) {
        INFO(text);
        const Topology topology = Topology::parse(text);
        CHECK(simultaneous_moves(topology) == most_moves(topology, 0, 0));
    }
    for (unsigned seed = 1; seed <= 20; ++seed)
        if (const Topology topology = dcube::test::random_product(seed); topology.nodes() <= 10) {
            INFO("seed " << seed);
            CHECK(simultaneous_moves(topology) == most_moves(topology, 0, 0));
        }
}

TEST_CASE("networks: bounds of Cayley graphs, trees, and one node", "[network]")
{
    CHECK(steps(Topology::parse("star:4"), PortModel::all, "L6") == 21);
    CHECK(steps(Topology::parse("pancake:4"), PortModel::all, "L6") == 20);
    CHECK(steps(Topology::parse("star:5"), PortModel::all, "L6") == 111);
    CHECK(steps(Topology::parse("circulant:13,1,5"), PortModel::all, "L6") == 5);
    CHECK(steps(Topology::parse("ccc:3"), PortModel::all, "L5") == 36);
    for (NodeId n = 3; n <= 9; ++n)
        CHECK(steps(Topology::product({Graph::path(n)}), PortModel::one, "L3") == (n * n - 1) / 2);
    CHECK(steps(Topology::parse("path:4096"), PortModel::one, "L3") == (4096 * 4096 - 1) / 2);
    CHECK_FALSE(bound(Topology::parse("mesh:3x3"), PortModel::one, "L3").has_value());
    CHECK(exchange_bounds(Topology::hypercube(0), PortModel::all).empty());
}

TEST_CASE("networks: what the busiest node of a tree sends, counted pair by pair", "[network]")
{
    std::mt19937 random(5);
    for (NodeId nodes = 3; nodes <= 30; ++nodes) {
        std::vector<std::pair<NodeId, NodeId>> edges;
        for (NodeId node = 1; node < nodes; ++node)
            edges.emplace_back(node, static_cast<NodeId>(random() % node));
        const Topology tree = Topology::product({Graph::from_edges("tree", edges)});
        std::uint64_t most = 0;
        for (NodeId node = 0; node < nodes; ++node)
            most = std::max(most, sent_or_passed_on(tree, node));
        INFO(nodes << " nodes");
        CHECK(steps(tree, PortModel::one, "L3") == most);
    }
}

TEST_CASE("networks: the general bounds on hypercubes are those of the literature", "[network]")
{
    for (const Collective collective : all_collectives) {
        if (is_point_to_point(collective) || is_matrix(collective))
            continue;
        for (const PortModel ports : {PortModel::one, PortModel::all})
            for (std::size_t packets = 1; packets <= 9; ++packets) {
                const Problem problem{collective, 1, packets};
                INFO(name(collective) << " " << name(ports) << " " << packets);
                for (unsigned d = 1; d <= 10; ++d) {
                    const Topology cube = Topology::hypercube(d);
                    const std::uint64_t bound = steps_bound(cube, ports, problem).value;
                    CHECK(steps_on_any_network(cube, ports, problem).value() == bound);
                }
                if (is_scan(collective))
                    continue;  // follows the ids, and those of a ring go round
                // A ring of four nodes is a square, but its name is not: what it costs must be the same.
                const Topology ring = Topology::parse("ring:4");
                const Topology square = Topology::hypercube(2);
                CHECK(steps_bound(ring, ports, problem).value == steps_bound(square, ports, problem).value);
                CHECK(transmissions_bound(ring, problem).value == transmissions_bound(square, problem).value);
            }
    }
}

TEST_CASE("networks: bounds of rooted collectives at nodes with different ports", "[network]")
{
    const Topology path = Topology::parse("path:5");
    const auto least = [&](Collective collective, PortModel ports, NodeId root, std::size_t packets) {
        return steps_bound(path, ports, {collective, 1, packets, root}).value;
    };
    CHECK(least(Collective::broadcast, PortModel::all, 0, 1) == 4);
    CHECK(least(Collective::broadcast, PortModel::all, 2, 3) == 4);  // the ends take one packet per step: 2 - 1 + 3
    CHECK(least(Collective::broadcast, PortModel::one, 2, 1) == 3);  // holders double: 1, 2, 4, 5
    CHECK(least(Collective::scatter, PortModel::all, 0, 1) == 4);
    CHECK(least(Collective::scatter, PortModel::all, 2, 2) == 4);
    CHECK(least(Collective::gather, PortModel::one, 2, 1) == 4);
    CHECK(least(Collective::all_gather, PortModel::all, 0, 1) == 4);
    CHECK(least(Collective::all_gather, PortModel::one, 0, 1) == 7);  // the middle sends 5 + 1, the last two hops far
    CHECK(least(Collective::all_to_all, PortModel::all, 0, 1) == 6);
    CHECK(least(Collective::all_to_all, PortModel::all, 0, 3) == 18);
    CHECK(least(Collective::all_to_all, PortModel::one, 0, 1) == 12);
}

TEST_CASE("networks: a root that is no node is refused by every bound", "[network][negative]")
{
    for (const char* const text : {"mesh:3x5", "path:4", "ring:3", "hypercube:3"})
        for (const Collective collective : all_collectives) {
            Problem problem{collective, 8, 1, 999};
            if (is_point_to_point(collective) || is_matrix(collective))
                continue;
            INFO(text << " " << name(collective));
            const Topology topology = Topology::parse(text);
            const auto check = [&](const auto& bound) {
                if (has_root(collective))
                    CHECK_THROWS_WITH(bound(), Catch::StartsWith("root 999 is not a node of " + topology.name()));
                else
                    CHECK_NOTHROW(bound());
            };
            for (const PortModel ports : {PortModel::one, PortModel::all}) {
                check([&] { static_cast<void>(steps_bound(topology, ports, problem)); });
                check([&] { static_cast<void>(transmissions_bound(topology, problem)); });
            }
            problem.link = {LinkKind::link_bound, {1, 1}, {7, 1}};
            check([&] { static_cast<void>(time_bound(topology, problem)); });
        }
}
