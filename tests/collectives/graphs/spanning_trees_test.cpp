// Packed trees are spanning trees that share evenly, and the bound that follows is that of the worst partition.

#include "tests/support/any_networks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sizes.hpp"

#include "collectives/graphs/spanning_trees.hpp"

#include <dcube/random.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace dcube;
using namespace dcube::detail;
using test_support::smaller;

namespace {

// Whether the arcs are one tree that reaches all nodes.
bool spans(const Arcs& arcs, const std::vector<ArcId>& tree)
{
    std::vector<NodeId> part(arcs.nodes());
    std::iota(part.begin(), part.end(), NodeId{0});
    for (const ArcId arc : tree) {
        const NodeId a = part[arcs.from(arc)];
        const NodeId b = part[arcs.to(arc)];
        if (a == b)
            return false;  // a cycle
        std::ranges::replace(part, a, b);
    }
    return tree.size() + 1 == arcs.nodes();
}

std::uint32_t largest_load(const Arcs& arcs, PortModel ports, const std::vector<std::vector<ArcId>>& trees)
{
    std::vector<std::uint32_t> load(std::max<std::size_t>(arcs.size(), arcs.nodes()));
    for (const std::vector<ArcId>& tree : trees)
        for (const ArcId arc : tree) {
            ++load[ports == PortModel::all ? arc : arcs.from(arc)];
            ++load[ports == PortModel::all ? arcs.opposite(arc) : arcs.to(arc)];
        }
    return *std::ranges::max_element(load);
}

std::uint32_t load_of_packed(const char* network, PortModel ports, unsigned trees)
{
    const Topology topology = Topology::parse(network);
    const Arcs arcs(topology);
    return largest_load(arcs, ports, packed_trees(arcs, ports, trees));
}

double bound_on(const Topology& topology, PortModel ports)
{
    return partition_bound(Arcs(topology), ports).value;
}

// The largest (parts - 1) / (links between them) of all partitions, counted one by one.
double worst_partition(const Arcs& arcs)
{
    double worst = 0;
    std::vector<NodeId> part(arcs.nodes());
    const auto assign = [&](auto&& self, NodeId node, NodeId parts) -> void {
        if (node == arcs.nodes()) {
            unsigned across = 0;
            for (ArcId arc = 0; arc < arcs.size(); ++arc)
                across += part[arcs.from(arc)] != part[arcs.to(arc)] ? 1 : 0;
            if (parts > 1)
                worst = std::max(worst, 2.0 * (parts - 1) / across);
            return;
        }
        for (part[node] = 0; part[node] <= parts; ++part[node])
            self(self, node + 1, std::max(parts, part[node] + 1));
    };
    assign(assign, 0, 0);
    return worst;
}

// A random tree and some more links.
Topology random_graph(std::uint64_t seed, NodeId nodes)
{
    Random random(seed);
    std::vector<std::pair<NodeId, NodeId>> edges;
    for (NodeId node = 1; node < nodes; ++node)
        edges.emplace_back(static_cast<NodeId>(random.below(node)), node);
    for (NodeId extra = 0; extra < nodes; ++extra) {
        const auto a = static_cast<NodeId>(random.below(nodes));
        const auto b = static_cast<NodeId>(random.below(nodes));
        const std::pair link(std::min(a, b), std::max(a, b));
        if (a != b && std::ranges::find(edges, link) == edges.end())
            edges.push_back(link);
    }
    return Topology::product({Graph::from_edges("random", edges)});
}

}  // namespace

TEST_CASE("packed trees span the network, and are the same every time", "[graphs][trees]")
{
    for (const char* const name : {"torus8x8-3l", "random20", "bintree31", "hub9"})
        for (const PortModel ports : {PortModel::all, PortModel::one}) {
            CAPTURE(name, ports);
            const Arcs arcs(test::any_network(name));
            const auto trees = packed_trees(arcs, ports, 7);
            REQUIRE(trees.size() == 7);
            for (const std::vector<ArcId>& tree : trees)
                CHECK(spans(arcs, tree));
            CHECK(packed_trees(arcs, ports, 7) == trees);
        }
    CHECK(packed_trees(Arcs(Topology::hypercube(0)), PortModel::all, 3) == std::vector<std::vector<ArcId>>(3));
}

// Nash-Williams and Tutte promise as many link-disjoint trees.
TEST_CASE("packed trees share links and nodes as evenly as can be", "[graphs][trees]")
{
    CHECK(load_of_packed("hypercube:4", PortModel::all, 2) == 1);
    CHECK(load_of_packed("torus:4x6", PortModel::all, 2) == 1);
    CHECK(load_of_packed("ring:5", PortModel::all, 5) == 4);  // each tree leaves out another link
    CHECK(load_of_packed("ring:7", PortModel::one, 7) == 12);
    CHECK(load_of_packed("torus:4x4", PortModel::one, 8) <= 16);  // at least 8 * 30 / 16
}

TEST_CASE("the partition bound is that of the worst partition", "[graphs][trees]")
{
    const auto is = [](double value) { return Approx(value).epsilon(1e-6); };
    CHECK(bound_on(Topology::parse("ring:9"), PortModel::all) == is(8.0 / 9));
    CHECK(bound_on(Topology::parse("torus:4x4"), PortModel::all) == is(15.0 / 32));
    CHECK(bound_on(Topology::parse("path:9"), PortModel::all) == is(1));
    CHECK(bound_on(Topology::parse("ring:9"), PortModel::one) == is(16.0 / 9));
    CHECK(bound_on(test::any_network("hub9"), PortModel::one) == is(9));
    CHECK(bound_on(Topology::hypercube(0), PortModel::all) == 0);
    for (std::uint64_t seed = 0; seed < smaller(40U, 10U); ++seed) {
        CAPTURE(seed);
        const Arcs arcs(random_graph(seed, 7));
        CHECK(partition_bound(arcs, PortModel::all).value == is(worst_partition(arcs)));
    }
}

// The least steps of an all-reduce of 100 blocks. One port: a node of bintree31 and of random20 leaves three parts, the
// hub nine.
TEST_CASE("the partition bound of networks that are crowded somewhere is the expected one", "[graphs][trees]")
{
    const auto least = [](const char* name, PortModel ports) {
        return std::ceil(100 * bound_on(test::any_network(name), ports));
    };
    CHECK(least("random20", PortModel::all) == 100);
    CHECK(least("mesh4x6", PortModel::all) == 61);
    CHECK(least("torus8x8-3l", PortModel::all) == 51);
    CHECK(least("hub9", PortModel::one) == 900);
    CHECK(least("bintree31", PortModel::one) == 300);
    CHECK(least("random20", PortModel::one) == 300);
}

TEST_CASE("any weights of links give a bound below the partition bound", "[graphs][trees]")
{
    const Arcs arcs(test::any_network("random20"));
    Random random(7);
    const double best = partition_bound(arcs, PortModel::all).value;
    std::vector<double> weights(arcs.size());
    for (int trial = 0; trial < 200; ++trial) {
        for (ArcId arc = 0; arc < arcs.size(); ++arc)
            weights[std::max(arc, arcs.opposite(arc))] = weights[std::min(arc, arcs.opposite(arc))] = random.uniform();
        CHECK(bound_of_weights(arcs, PortModel::all, weights) <= best * (1 + 1e-9));
    }
    const PartitionBound told = partition_bound(arcs, PortModel::one);
    CHECK(told.weights.size() == arcs.nodes());
    CHECK(bound_of_weights(arcs, PortModel::one, told.weights) == told.value);
}
