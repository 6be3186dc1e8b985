// Networks that lack links and nodes.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/contributors.hpp>
#include <dcube/error.hpp>
#include <dcube/machine.hpp>
#include <dcube/topology.hpp>

#include <atomic>
#include <string>
#include <vector>

using namespace dcube;
using test_support::error_of;

namespace {

std::vector<NodeId> neighbours(const Topology& topology, NodeId node)
{
    std::vector<NodeId> all;
    for (Port port = 0; port < topology.ports(node); ++port) {
        all.push_back(topology.neighbour(node, port));
        CHECK(topology.neighbour(all.back(), topology.arrival_port(node, port)) == node);
    }
    return all;
}

}  // namespace

TEST_CASE("faults: what is missing is missing in both directions, and what is left keeps its order", "[emu][faults]")
{
    const Topology cube = Topology::hypercube(3).without({.links = {{5, 1}, {0, 2}}, .nodes = {6}});
    CHECK(cube.name() == "hypercube:3 without 0-2,1-5,6");
    CHECK(cube == Topology::parse(cube.name()));
    CHECK(cube == Topology::parse("hypercube:3 without 6").without({.links = {{2, 0}, {1, 5}}}));
    CHECK(cube.nodes() == 8);
    CHECK(cube.members() == 7);
    CHECK(cube.lacks_nodes());
    CHECK_FALSE(cube.is_member(6));
    CHECK(cube.directed_links() == 2 * (12 - 2 - 3));
    CHECK(neighbours(cube, 0) == std::vector<NodeId>{1, 4});
    CHECK(neighbours(cube, 1) == std::vector<NodeId>{0, 3});
    CHECK(neighbours(cube, 2) == std::vector<NodeId>{3});
    CHECK(neighbours(cube, 6).empty());
    CHECK(neighbours(cube, 7) == std::vector<NodeId>{5, 3});  // the order of the dimensions
    CHECK(cube.distance(0, 2) == 3);
    CHECK(cube.diameter() == 4);  // a ring of six and node 2 beside it
    CHECK(cube.whole() == Topology::hypercube(3));
    CHECK(cube.faults() == Faults{.links = {{0, 2}, {1, 5}}, .nodes = {6}});
    CHECK_FALSE(cube.is_hypercube());
    CHECK_FALSE(cube.symmetric());
}

TEST_CASE("faults: the nodes that are left make a network of their own", "[emu][faults]")
{
    const Topology cube = Topology::hypercube(3).without({.nodes = {0, 5}});
    const Topology& alone = cube.of_members();
    REQUIRE(alone.nodes() == 6);
    CHECK_FALSE(alone.lacks_nodes());
    for (NodeId number = 0; number < alone.nodes(); ++number) {
        const NodeId node = cube.member(number);
        CHECK(cube.member_number(node) == number);
        CHECK(alone.original(number) == node);
        REQUIRE(alone.ports(number) == cube.ports(node));
        for (Port port = 0; port < alone.ports(number); ++port) {
            CHECK(cube.member(alone.neighbour(number, port)) == cube.neighbour(node, port));
            CHECK(alone.arrival_port(number, port) == cube.arrival_port(node, port));
        }
        for (NodeId other = 0; other < alone.nodes(); ++other)
            CHECK(alone.distance(number, other) == cube.distance(node, cube.member(other)));
    }
    CHECK(alone.diameter() == cube.diameter());
    CHECK(alone.sum_of_statuses() == cube.sum_of_statuses());
    CHECK(average_distance(alone) == average_distance(cube));
    CHECK(Contributors::all(cube) == Contributors({{1, 4}, {6, 7}}));
    // Other nodes with the same links: they are called something else.
    CHECK_FALSE(alone == Topology::hypercube(3).without({.nodes = {2, 7}}).of_members());
    CHECK(Topology::hypercube(3).of_members() == Topology::hypercube(3));
    CHECK(Topology::hypercube(1).without({}) == Topology::hypercube(1));
}

TEST_CASE("faults: all nodes but two may be missing", "[emu][faults]")
{
    const Topology pair = Topology::hypercube(2).without({.nodes = {1, 3}});
    CHECK(pair.members() == 2);
    CHECK(pair.distance(0, 2) == 1);
    CHECK_FALSE(pair.of_members().is_hypercube());
}

TEST_CASE("faults: programs run only on the nodes that are left", "[emu][faults]")
{
    const Topology ring = Topology::parse("torus:3x3 without 4,0-1");
    Machine machine(ring, {.threads = 2});
    std::atomic<unsigned> ran{0};
    const NodeId sent = 7;
    const Counts counts = machine.run([&](Node& me) -> Task {
        ++ran;
        me.begin_together(&ran, "all of them");
        for (Port port = 0; port < me.ports(); ++port)
            me.send(port, sent);
        co_await me.next_step();
        for (Port port = 0; port < me.ports(); ++port)
            me.receive(port);
    });
    CHECK(ran == 8);
    CHECK(counts.steps == 1);
    CHECK(counts.transmissions == ring.directed_links());
    std::vector<std::atomic<int>> visited(ring.nodes());
    machine.for_each_node([&](NodeId node) { ++visited[node]; });
    for (NodeId node = 0; node < ring.nodes(); ++node)
        CHECK(visited[node] == (node == 4 ? 0 : 1));
}

TEST_CASE("faults: random faults are the same everywhere, and as many as the rate says", "[emu][faults]")
{
    const Topology cube = Topology::hypercube(10);
    CHECK(random_faults(cube, 0, 1).empty());
    CHECK(random_faults(cube, 1, 1).links.size() == 5120);
    const Faults some = random_faults(cube, 0.01, 7);
    CHECK(some == random_faults(cube, 0.01, 7));
    CHECK_FALSE(some == random_faults(cube, 0.01, 8));
    CHECK(some.links.size() > 20);
    CHECK(some.links.size() < 100);
    CHECK(some.nodes.empty());
    CHECK(cube.without(some).title() == "hypercube:10 without " + std::to_string(some.links.size()) + " links");
    CHECK(error_of([&] { random_faults(cube, 1.5, 1); }) == "a fault rate of 1.5 is not possible: expected 0 to 1");
    CHECK_THROWS_AS(random_faults(cube, -0.1, 1), InvalidArgument);
}

TEST_CASE("faults: a list of faults is read as it is written", "[emu][faults]")
{
    CHECK(parse_faults("0-1, 4-5 9") == Faults{.links = {{0, 1}, {4, 5}}, .nodes = {9}});
    CHECK(parse_faults("# none\n\n") == Faults{});
    CHECK(parse_faults("0-1 # broken\r\n7\n") == Faults{.links = {{0, 1}}, .nodes = {7}});
    CHECK(to_string(Faults{.links = {{0, 1}, {4, 5}}, .nodes = {9}}) == "0-1,4-5,9");
    CHECK(error_of([] { parse_faults("0-1,x"); }) == "'x' is neither a link such as 0-1 nor a node such as 5");
    CHECK(error_of([] { parse_faults("0-1\n\n2-\n"); }) ==
          "line 3: '2-' is neither a link such as 0-1 nor a node such as 5");
    for (const char* const wrong : {"-1", "0-1-2", "0--1", "1.5", "99999999999", "a-b", "+1"})
        CHECK_THROWS_AS(parse_faults(wrong), InvalidArgument);
    CHECK(error_of([] { parse_link_between("3"); }) == "'3' is not a link: expected two neighbours, e.g. 0-1");
    CHECK(error_of([] { parse_node_id("3-4"); }) == "'3-4' is not a node: expected a whole number, e.g. 5");
}

TEST_CASE("faults: links and nodes that cannot be missing are refused, and a disconnected network",
          "[emu][faults][negative]")
{
    const Topology cube = Topology::hypercube(3);
    const auto refusal = [&](const Faults& faults) {
        return error_of([&] { static_cast<void>(cube.without(faults)); });
    };
    CHECK(refusal({.links = {{0, 3}}}) == "hypercube:3 has no link 0-3");
    CHECK(refusal({.links = {{0, 0}}}) == "hypercube:3 has no link 0-0");
    CHECK(refusal({.links = {{0, 8}}}) == "hypercube:3 has no node 8: nodes are 0 to 7");
    CHECK(refusal({.nodes = {8}}) == "hypercube:3 has no node 8: nodes are 0 to 7");
    CHECK(refusal({.nodes = {2, 2}}) == "node 2 is to be missing twice: once is allowed");
    CHECK(refusal({.links = {{0, 1}, {1, 0}}}) == "link 0-1 is to be missing twice: once is allowed");
    CHECK(refusal({.links = {{0, 1}, {0, 2}, {0, 4}}}) ==
          "hypercube:3 without 0-1,0-2,0-4 is disconnected: no path leads from node 0 to the other 7");
    CHECK(refusal({.links = {{0, 4}, {1, 5}, {2, 6}, {3, 7}}}) ==
          "hypercube:3 without 0-4,1-5,2-6,3-7 is disconnected: no path leads from nodes 0, 1, 2, 3 to the other 4");
    CHECK(refusal({.nodes = {1, 2, 4}}) ==
          "hypercube:3 without 1,2,4 is disconnected: no path leads from node 0 to the other 4");
    CHECK(refusal({.nodes = {0, 1, 2, 3, 4, 5, 6}}) ==
          "hypercube:3 without 0,1,2,3,4,5,6 has one node left: 2 or more are "
          "needed");
    CHECK(refusal({.nodes = {0, 1, 2, 3, 4, 5, 6, 7}}) == "hypercube:3 without 0,1,2,3,4,5,6,7 has no node left: 2 or "
                                                          "more are needed");
    const Topology torn = cube.without({.links = {{0, 1}}, .nodes = {6}});
    CHECK(error_of([&] { static_cast<void>(torn.without({.nodes = {6}})); }) ==
          "hypercube:3 without 0-1,6 lacks node 6 already");
    CHECK(error_of([&] {
              static_cast<void>(torn.without({.links = {{0, 1}}}));
          }) == "hypercube:3 without 0-1,6 has no link 0-1");
    CHECK(error_of([] { static_cast<void>(Topology::hypercube(13).without({.nodes = {1}})); }) ==
          "hypercube:13 without 1 has 8192 nodes: networks that lack something may have up to 4096");
    CHECK(error_of([] { Topology::parse("ring:5 without "); }) ==
          "'ring:5 without ' is not a list of missing parts: expected links such as 0-1, or nodes such as 5");
    CHECK_THROWS_AS(Topology::parse("ring:5 without 0-1,0-4"), InvalidArgument);
}
