// The exchanges of single factors: closed forms, and independent counts where there is none.

#include "algorithms/papers/dimakopoulos/factor_exchange.hpp"
#include "algorithms/papers/dimakopoulos/factor_schedules.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/exchange_check.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/bounds.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace dcube;
using namespace dcube::detail;
using dcube::test::exchange_fault;
using test_support::smaller;

namespace {

Topology of(const Graph& graph)
{
    return Topology::product({graph});
}

// Checks that one factor's schedule is legal, complete, and of the expected length.
void check_factor(const Graph& graph, PortModel ports, std::uint64_t steps)
{
    INFO(graph.name() << ", " << name(ports));
    CHECK(factor_exchange_steps(graph, ports) == steps);
    const auto schedule = factor_exchange(graph, ports);
    CHECK(schedule->steps == steps);
    CHECK(exchange_fault(of(graph), ports, *schedule) == "");
}

// A node in the middle with n - 1 others around it.
Graph hub(NodeId nodes)
{
    std::vector<std::pair<NodeId, NodeId>> edges;
    for (NodeId leaf = 1; leaf < nodes; ++leaf)
        edges.emplace_back(0, leaf);
    return Graph::from_edges("hub", edges);
}

Graph random_tree(unsigned seed, NodeId nodes)
{
    std::mt19937 random(seed);
    std::vector<std::pair<NodeId, NodeId>> edges;
    for (NodeId node = 1; node < nodes; ++node)
        edges.emplace_back(random() % node, node);
    return Graph::from_edges("tree", edges);
}

// In a tree every packet has one path. The steps of all packets' h-th hops are what the busiest link, or on one port
// the busiest sender or receiver, has of them; counted pair by pair, hop by hop.
std::uint64_t steps_hop_by_hop(const Graph& tree, PortModel ports)
{
    std::uint64_t steps = 0;
    for (unsigned hop = 0; hop < tree.diameter(); ++hop) {
        std::map<std::pair<NodeId, NodeId>, std::uint64_t> load;
        for (NodeId from = 0; from < tree.nodes(); ++from)
            for (NodeId to = 0; to < tree.nodes(); ++to)
                for (NodeId node = 0; node < tree.nodes(); ++node)
                    for (Port port = 0; port < tree.ports(node); ++port) {
                        const NodeId next = tree.neighbour(node, port);
                        if (tree.distance(from, node) != hop || tree.distance(from, next) != hop + 1 ||
                            hop + 1 + tree.distance(next, to) != tree.distance(from, to))
                            continue;
                        if (ports == PortModel::one) {
                            ++load[{node, tree.nodes()}];
                            ++load[{tree.nodes(), next}];
                        } else {
                            ++load[{node, next}];
                        }
                    }
        std::uint64_t most = 0;
        for (const auto& [where, packets] : load)
            most = std::max(most, packets);
        steps += most;
    }
    return steps;
}

}  // namespace

TEST_CASE("factor exchange: on one port every kind of graph takes the expected steps", "[dimakopoulos]")
{
    for (NodeId n = 2; n <= 32; ++n) {
        check_factor(Graph::path(n), PortModel::one, n == 2 ? 1 : (n * n - 1) / 2);
        check_factor(Graph::complete(n), PortModel::one, n - 1);
    }
    for (NodeId n = 3; n <= 40; ++n)
        check_factor(Graph::ring(n), PortModel::one, n * n / 4);
    const std::map<std::string, unsigned> cayley = {{"star:3", 9}, {"star:4", 62},           {"pancake:4", 60},
                                                    {"ccc:3", 74}, {"circulant:13,1,5", 20}, {"petersen", 15}};
    for (const auto& [text, steps] : cayley)
        check_factor(Topology::parse(text).factor(0), PortModel::one, steps);
    if (!test_support::sanitized) {
        check_factor(Graph::star(5), PortModel::one, 442);
        check_factor(Graph::cube_connected_cycles(4), PortModel::one, 296);
    }
}

TEST_CASE("factor exchange: on all ports every kind of graph takes the expected steps", "[dimakopoulos]")
{
    for (NodeId n = 2; n <= 32; ++n) {
        check_factor(Graph::path(n), PortModel::all, n * n / 4);
        check_factor(Graph::complete(n), PortModel::all, 1);
    }
    for (NodeId n = 3; n <= 40; ++n)
        check_factor(Graph::ring(n), PortModel::all, n % 2 == 1 ? (n * n - 1) / 8 : (n * n + 7) / 8);
    check_factor(Graph::petersen(), PortModel::all, 5);
    const std::map<std::string, unsigned> cayley = {
        {"star:4", 21}, {"pancake:4", 20}, {"ccc:3", 36}, {"circulant:13,1,5", 5}};
    for (const auto& [text, steps] : cayley)
        check_factor(Topology::parse(text).factor(0), PortModel::all, steps);
}

TEST_CASE("factor exchange: trees on one port take the busiest node's packets, hop by hop", "[dimakopoulos]")
{
    // (n - 1)^2 packets come to the node in the middle, and (n - 1)(n - 2) go on from there.
    for (const NodeId n : {4U, 5U, 9U})
        check_factor(hub(n), PortModel::one, (n - 1) * (2 * n - 3));
    for (unsigned seed = 1; seed <= smaller(20U, 4U); ++seed) {
        const Graph tree = random_tree(seed, 4 + seed % 9);
        check_factor(tree, PortModel::one, steps_hop_by_hop(tree, PortModel::one));
    }
}

TEST_CASE("factor exchange: trees on all ports take no more than the busiest link's packets, hop by hop",
          "[dimakopoulos]")
{
    for (unsigned seed = 1; seed <= smaller(20U, 4U); ++seed) {
        const Graph tree = random_tree(seed, 4 + seed % 9);
        const std::uint64_t steps = factor_exchange_steps(tree, PortModel::all);
        CHECK(steps <= steps_hop_by_hop(tree, PortModel::all));
        CHECK(steps >= steps_bound(of(tree), PortModel::all, {Collective::all_to_all}).value);
        check_factor(tree, PortModel::all, steps);
    }
}

TEST_CASE("factor exchange: any graph has a legal schedule, no shorter than the bound", "[dimakopoulos]")
{
    for (unsigned seed = 1; seed <= smaller(30U, 6U); ++seed) {
        const Graph graph = dcube::test::random_graph(seed, 3 + seed % 9);
        for (const PortModel ports : {PortModel::one, PortModel::all}) {
            const auto schedule = factor_exchange(graph, ports);
            INFO("seed " << seed << ", " << name(ports));
            CHECK(exchange_fault(of(graph), ports, *schedule) == "");
            CHECK(schedule->steps >= steps_bound(of(graph), ports, {Collective::all_to_all}).value);
            CHECK(schedule->steps <= graph.diameter() * graph.nodes() * (graph.nodes() - 1));
        }
    }
}

TEST_CASE("factor exchange: steps that are only counted are those of the schedule", "[dimakopoulos]")
{
    for (unsigned seed = 1; seed <= smaller(20U, 4U); ++seed) {
        const Graph graph = dcube::test::random_graph(seed, 3 + seed % 9);
        for (const PortModel ports : {PortModel::one, PortModel::all})
            CHECK(any_graph_steps(graph, ports) == any_graph_exchange(graph, ports).steps);
    }
}

TEST_CASE("factor exchange: large trees are counted in seconds, larger ones refused", "[dimakopoulos]")
{
    // Every link of the hub carries n - 1 packets up, each first, then n - 2 down.
    if (!test_support::sanitized)
        CHECK(any_graph_steps(hub(500), PortModel::one) == 499 * 997);
    std::vector<std::pair<NodeId, NodeId>> edges;
    for (NodeId node = 0; node + 2 < 2048; ++node)
        edges.emplace_back(node, node + 1);
    edges.emplace_back(1, 2047);
    const Topology long_tree = of(Graph::from_edges("long", edges));
    CHECK_THAT(factor_exchange_obstacle(long_tree), Catch::Contains("the exchange in long takes 28"));
    CHECK(factor_exchange_obstacle(of(hub(511))) == "");
    CHECK(factor_exchange_obstacle(Topology::parse("path:2048")) == "");  // a closed form says it
}
