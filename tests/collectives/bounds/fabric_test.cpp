// Lower bounds where nodes or links differ: numbers that can be worked out by hand.

#include "collectives/bounds/fabric.hpp"
#include "tests/support/catch.hpp"

#include <dcube/bounds.hpp>
#include <dcube/permutation.hpp>

#include <string>

using namespace dcube;

namespace {

Problem timed(const Topology& topology, Collective collective, std::size_t bytes, Rational tau = {1, 1},
              Rational beta = {10, 1})
{
    Problem problem{.collective = collective, .bytes = bytes};
    problem.link = topology.links({.kind = LinkKind::link_bound, .tau = tau, .beta = beta});
    return problem;
}

std::int64_t bound_of(const Topology& topology, const Problem& problem)
{
    const TimeBound found = time_bound(topology, problem);
    CHECK(found.value.denominator == 1);
    CHECK_FALSE(found.reason.empty());
    return found.value.numerator;
}

}  // namespace

TEST_CASE("bounds of fabrics: over one path bytes are pipelined at the slowest link", "[bounds][fabric]")
{
    const Topology path = Topology::parse("path:3 with 0-1:3:4");
    Problem problem = timed(path, Collective::send, 100);
    problem.peer = 2;
    // The slow link carries all bytes, 3 * 100 + 4, and the last of them has one more link to go: 1 + 10.
    CHECK(bound_of(path, problem) == 304 + 11);
    CHECK(time_argument(path, problem).argument.name == "timed-cut");
    problem.bytes = 1;
    CHECK(bound_of(path, problem) == 7 + 11);
    problem.bytes = 0;
    CHECK(bound_of(path, problem) == 0);
}

TEST_CASE("bounds of fabrics: two links of different speed share the bytes", "[bounds][fabric]")
{
    // From 0 to 1: directly 1 ns a byte, over switch 2 2 ns a byte twice; start-ups 10.
    const Topology triangle = Topology::parse("ring:3 with 0-2:2:10,1-2:2:10,2");
    Problem problem = timed(triangle, Collective::send, 300);
    problem.peer = 1;
    // In T the direct link carries T - 10, the other path (T - 10 - 12) / 2: for 300 bytes T = 214.
    CHECK(bound_of(triangle, problem) == 214);
    CHECK(bound_of(triangle, timed(triangle, Collective::broadcast, 300)) == 214);
}

TEST_CASE("bounds of fabrics: round one switch every node's link is the cut", "[bounds][fabric]")
{
    const Topology star = Topology::product({Graph::from_text("star", "0 4\n1 4\n2 4\n3 4\nswitch 4\n")});
    const std::int64_t one_link = 3 * 8 + 10;  // messages of 8 bytes from three others
    const std::int64_t hop = 1 + 10;
    CHECK(bound_of(star, timed(star, Collective::all_gather, 8)) == one_link + hop);
    CHECK(bound_of(star, timed(star, Collective::reduce_scatter, 8)) == one_link + hop);
    CHECK(bound_of(star, timed(star, Collective::scatter, 8)) == one_link + hop);
    CHECK(bound_of(star, timed(star, Collective::gather, 8)) == one_link + hop);
    CHECK(bound_of(star, timed(star, Collective::all_to_all, 8)) == one_link + hop);
    CHECK(bound_of(star, timed(star, Collective::broadcast, 8)) == 8 + 10 + hop);
    // 2 (N - 1) m bytes come to nodes over four links.
    CHECK(bound_of(star, timed(star, Collective::all_reduce, 80)) == 2 * 3 * 80 / 4 + 10);
    CHECK(time_argument(star, timed(star, Collective::all_reduce, 80)).argument.name == "timed-arrivals");
}

TEST_CASE("bounds of fabrics: prices find the busy link between two halves", "[bounds][fabric]")
{
    const Topology path = Topology::parse("path:4 with 0-1:1:10,1-2:1:10,2-3:1:10");
    const Problem problem = timed(path, Collective::all_to_all, 100, {0, 1}, {0, 1});
    const std::int64_t cut = 4 * 100 + 10;  // two nodes to two over one link
    const std::int64_t found = bound_of(path, problem);
    CHECK(found <= cut);
    CHECK(found > cut * 95 / 100);
    CHECK(time_argument(path, problem).argument.name == "timed-prices");
}

TEST_CASE("bounds of fabrics: with equal links they are no less than other networks' cuts", "[bounds][fabric]")
{
    for (const char* const network : {"ring:5", "path:4", "mesh:3x3", "complete:4"}) {
        const Topology plain = Topology::parse(network);
        Fabric all;
        for (NodeId node = 0; node < plain.nodes(); ++node)
            for (Port port = 0; port < plain.ports(node); ++port)
                if (const NodeId far = plain.neighbour(node, port); node < far)
                    all.links.push_back({node, far, {1, 1}, {10, 1}});
        const Topology fabric = plain.with(all);
        for (const Collective collective : {Collective::broadcast, Collective::scatter, Collective::all_gather})
            for (const std::size_t bytes : {1U, 20U, 300U}) {
                CAPTURE(network, name(collective), bytes);
                const Rational known = time_bound(plain, timed(plain, collective, bytes)).value;
                CHECK(time_bound(fabric, timed(fabric, collective, bytes)).value >= known);
            }
    }
}

TEST_CASE("bounds of fabrics: steps and transmissions are those of the farthest message", "[bounds][fabric]")
{
    const Topology tree = Topology::parse("fat-tree:4");
    CHECK(steps_bound(tree, PortModel::all, timed(tree, Collective::all_gather, 1)).value == 6);
    Problem near = timed(tree, Collective::send, 1);
    near.peer = 1;
    CHECK(steps_bound(tree, PortModel::all, near).value == 2);
    CHECK(transmissions_bound(tree, near).value == 2);
}
