// Arcs agree with the topology that they are of.

#include "tests/support/catch.hpp"
#include "tests/support/networks.hpp"

#include "collectives/graphs/arcs.hpp"

#include <dcube/topology.hpp>

#include <array>

using namespace dcube;
using namespace dcube::detail;

namespace {

void check_arcs(const Topology& topology)
{
    CAPTURE(topology.name());
    const Arcs arcs(topology);
    REQUIRE(arcs.nodes() == topology.nodes());
    REQUIRE(arcs.size() == topology.directed_links());
    CHECK(arcs.members().size() == topology.nodes());
    for (NodeId node = 0; node < topology.nodes(); ++node) {
        REQUIRE(arcs.degree(node) == topology.ports(node));
        for (Port port = 0; port < topology.ports(node); ++port) {
            const ArcId arc = arcs.first_out(node) + port;
            CHECK(arc == topology.link(node, port));
            CHECK(arcs.from(arc) == node);
            CHECK(arcs.port(arc) == port);
            CHECK(arcs.to(arc) == topology.neighbour(node, port));
            CHECK(arcs.opposite(arcs.opposite(arc)) == arc);
            CHECK(arcs.to(arcs.in(node)[port]) == node);
        }
    }
    const std::array<NodeId, 1> start{topology.nodes() - 1};
    const std::vector<std::uint32_t> hops = hops_from(arcs, start);
    for (NodeId node = 0; node < topology.nodes(); ++node)
        CHECK(hops[node] == topology.distance(start[0], node));
}

}  // namespace

TEST_CASE("arcs: they are the topology's links, by node and port", "[graphs]")
{
    for (const char* const name :
         {"hypercube:0", "hypercube:1", "hypercube:4", "torus:4x5", "mesh:3x4", "star:4", "petersen"})
        check_arcs(Topology::parse(name));
    for (unsigned seed = 0; seed < 10; ++seed)
        check_arcs(dcube::test::random_product(seed));
}
