// homogeneous: the rounds of an example worked out by hand.

#include "algorithms/papers/dimakopoulos/exchanges.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/rounds.hpp"

using namespace dcube;
using namespace dcube::detail;
using dcube::test::round_of;

TEST_CASE("homogeneous: on two factors of three nodes, what node (0,0) sends along the second", "[dimakopoulos]")
{
    const Topology topology = Topology::parse("ghc:3x3");
    const Schedule schedule = homogeneous(topology);
    const auto target = [](NodeId a, NodeId b) { return 3 * a + b; };
    CHECK(round_of(schedule, topology, 1, 1, target(1, 1)) == 0);
    CHECK(round_of(schedule, topology, 1, 1, target(2, 2)) == 0);
    CHECK(round_of(schedule, topology, 1, 1, target(2, 1)) == 1);
    CHECK(round_of(schedule, topology, 1, 1, target(1, 2)) == 1);
    CHECK(round_of(schedule, topology, 1, 1, target(0, 1)) == 2);
    CHECK(round_of(schedule, topology, 1, 1, target(0, 2)) == 2);
}
