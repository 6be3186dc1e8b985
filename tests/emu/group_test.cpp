// Groups: which node is which rank of which group, and over which ports they speak.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/group.hpp>
#include <dcube/topology.hpp>

#include <string>
#include <vector>

using namespace dcube;
using test_support::error_of;

namespace {

// Every link of a group's network is a link of the whole, between nodes of that group, and seen alike from both ends.
void check_ports(const Group& groups, NodeId node)
{
    const Topology& whole = groups.topology();
    const Topology& network = groups.network();
    const std::span<const Port> ports = groups.ports(node);
    REQUIRE(ports.size() == network.ports(groups.rank(node)));
    for (Port port = 0; port < ports.size(); ++port) {
        const NodeId other = whole.neighbour(node, ports[port]);
        CHECK(groups.number(other) == groups.number(node));
        CHECK(groups.rank(other) == network.neighbour(groups.rank(node), port));
        CHECK(whole.arrival_port(node, ports[port]) ==
              groups.ports(other)[network.arrival_port(groups.rank(node), port)]);
    }
}

std::string refusal(const char* network, const std::vector<unsigned>& within)
{
    return error_of([&] { Group::of(Topology::parse(network), within); });
}

}  // namespace

TEST_CASE("groups: every node has one rank in one group, and the group's links", "[emu][groups]")
{
    struct Case {
        const char* network;
        std::vector<unsigned> within;
        const char* of;
    };
    for (const auto& [network, within, of] :
         {Case{"hypercube:5", {0, 1}, "hypercube:2"}, Case{"hypercube:5", {4, 2}, "hypercube:2"},
          Case{"hypercube:3", {0, 1, 2}, "hypercube:3"}, Case{"torus:4x6", {0}, "ring:4"},
          Case{"torus:4x6", {1}, "ring:6"}, Case{"torus:3x4x5", {2, 0}, "ring:3*ring:5"},
          Case{"star:3*path:4", {0}, "star:3"}, Case{"ring:5*petersen*path:2", {1}, "petersen"},
          Case{"hypercube:3 without 0-1,4-5", {0, 1}, "hypercube:2 without 0-1"},
          Case{"hypercube:3 without 3,7", {0, 1}, "hypercube:2 without 3"},
          Case{"hypercube:3 without 0-4", {0, 1}, "hypercube:2"}}) {
        CAPTURE(network, within);
        const Topology topology = Topology::parse(network);
        const Group groups = Group::of(topology, within);
        CHECK(groups.network() == Topology::parse(of));
        CHECK(groups.count() * groups.size() == topology.nodes());
        for (NodeId node = 0; node < topology.nodes(); ++node) {
            CHECK(groups.node(groups.number(node), groups.rank(node)) == node);
            CHECK(groups.network().is_member(groups.rank(node)) == topology.is_member(node));
            if (topology.is_member(node))
                check_ports(groups, node);
        }
        for (NodeId number = 1; number < groups.count(); ++number)
            CHECK(groups.node(number - 1, 0) < groups.node(number, 0));
    }
}

TEST_CASE("groups: ranks are ordered as nodes are, whatever the order of the dimensions", "[emu][groups]")
{
    const Topology cube = Topology::hypercube(4);
    const Group groups = Group::of(cube, {3, 1});
    CHECK(groups == Group::of(cube, {1, 3}));
    CHECK(groups.within() == std::vector<unsigned>{1, 3});
    CHECK(groups.rank(0b1010) == 3);
    CHECK(groups.rank(0b0010) == 1);
    CHECK(groups.number(0b0101) == 3);
    CHECK(groups.node(2, 1) == 0b0110);
    CHECK(parse_within("3, 1") == std::vector<unsigned>{1, 3});
    CHECK(within_text({1, 3}) == "1,3");
}

TEST_CASE("groups: what is no group is refused", "[emu][groups][negative]")
{
    CHECK(refusal("hypercube:3", {}) == "within names no dimension");
    CHECK(refusal("hypercube:3", {3}) == "within 3 is not possible: hypercube:3 has dimensions 0 to 2");
    CHECK(refusal("mesh:3x4", {2}) == "within 2 is not possible: mesh:3x4 has factors 0 to 1");
    CHECK(refusal("ring:5", {1}) == "within 1 is not possible: ring:5 has factor 0 alone");
    CHECK(refusal("hypercube:0", {0}) == "within 0 is not possible: hypercube:0 has no dimensions");
    CHECK(refusal("mesh:3x4", {1, 1}) == "within 1,1 names a factor twice");
    CHECK(refusal("hypercube:3 without 6", {0}) ==
          "within 0 is not possible: the groups of nodes 0 and 6 do not lack the same links and nodes");
    CHECK_FALSE(refusal("mesh:2x3 without 0-1,3-4", {1}).empty());  // both rows fall apart
    CHECK(error_of([] { parse_within("1,x"); }) != "");
    CHECK(error_of([] { parse_within("1,1"); }) == "within '1,1' names a dimension or factor twice");
}
