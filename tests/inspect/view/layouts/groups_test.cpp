#include "inspect/view/layouts/layout.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <set>

using namespace dcube;
using namespace dcube::view;

TEST_CASE("groups: nodes of a hypercube with the same four high bits are one", "[view]")
{
    const Groups groups = groups_of(Topology::hypercube(8));
    CHECK(groups.network == Topology::hypercube(4));
    CHECK(groups.of.size() == 256);
    CHECK(groups.of[0x3f] == 3);
    CHECK(groups.names[3] == "0011");
    CHECK(groups.layouts.at(0).name == "cube in cube");
    REQUIRE(groups.links.size() == 32);
    for (const UndirectedLink& link : groups.links)
        CHECK((link.from ^ link.to) << 4 == NodeId{1} << link.dimension);
}

TEST_CASE("groups: first digits that fit in 16 groups make them in other products", "[view]")
{
    const Groups torus = groups_of(Topology::parse("torus:4x4x8"));
    CHECK(torus.network == Topology::parse("torus:4x4"));
    CHECK(torus.of[8 * 7 + 5] == 7);
    CHECK(torus.names[7] == "1,3");
    CHECK(torus.links[0].dimension == 1);
    const Groups mixed = groups_of(Topology::parse("path:2*path:2*ring:40"));
    CHECK(mixed.network.is_hypercube());
    for (const UndirectedLink& link : mixed.links)  // factors, the first of which is the high bit
        CHECK(link.dimension == ((link.from ^ link.to) == 2 ? 0U : 1U));
}

TEST_CASE("groups: a large first factor is cut in pieces, which meet as its nodes do", "[view]")
{
    for (const char* const network : {"ring:100", "path:50*ring:3", "complete:40", "ccc:6", "torus:20x20", "star:5"}) {
        CAPTURE(network);
        const Topology topology = Topology::parse(network);
        const Groups groups = groups_of(topology);
        REQUIRE(groups.of.size() == topology.nodes());
        CHECK(groups.network.nodes() <= 16);
        CHECK(groups.network.nodes() >= 8);
        CHECK(groups.names.size() == groups.network.nodes());
        std::set<std::pair<NodeId, NodeId>> meet;
        for (NodeId node = 0; node < topology.nodes(); ++node)
            for (Port port = 0; port < topology.ports(node); ++port)
                if (const NodeId far = groups.of[topology.neighbour(node, port)]; groups.of[node] < far)
                    meet.insert({groups.of[node], far});
        std::set<std::pair<NodeId, NodeId>> told;
        for (const UndirectedLink& link : groups.links)
            told.insert({link.from, link.to});
        CHECK(told == meet);
        CHECK(!groups.layouts.empty());
    }
    CHECK(groups_of(Topology::parse("ring:100")).names[3] == "30-39");
}

TEST_CASE("groups: a network of one node cannot be grouped", "[view][negative]")
{
    CHECK(test_support::error_of([] { static_cast<void>(groups_of(Topology::hypercube(0))); }) ==
          "hypercube:0 has one node: groups are made of at least 2");
}
