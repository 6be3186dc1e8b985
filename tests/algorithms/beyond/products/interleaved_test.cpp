// interleaved: the rounds of an example worked out by hand, and what happens to wrong schedules.

#include "algorithms/papers/dimakopoulos/exchanges.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/exchange_check.hpp"
#include "tests/support/rounds.hpp"

#include <utility>

using namespace dcube;
using namespace dcube::detail;
using dcube::test::exchange_fault;
using dcube::test::round_of;

TEST_CASE("interleaved: the rounds on a mesh of 3 x 5 are the expected ones", "[dimakopoulos]")
{
    const Topology topology = Topology::parse("mesh:3x5");
    const Schedule schedule = interleaved(topology);
    constexpr NodeId rounds[2][5] = {{4, 0, 1, 2, 3}, {2, 0, 1, 3, 4}};
    for (NodeId a = 1; a <= 2; ++a)
        for (NodeId b = 0; b < 5; ++b)
            CHECK(round_of(schedule, topology, 0, 2, 5 * a + b) == rounds[a - 1][b]);
}

TEST_CASE("interleaved: wrong schedules are caught", "[dimakopoulos][negative]")
{
    const Topology topology = Topology::parse("mesh:3x4");
    const Schedule right = interleaved(topology);
    REQUIRE(exchange_fault(topology, PortModel::all, right) == "");
    Schedule dropped = right;
    dropped.hops.erase(dropped.hops.begin() + 17);
    CHECK(exchange_fault(topology, PortModel::all, dropped) != "");
    CHECK(exchange_fault(topology, PortModel::one, right) != "");
    Schedule swapped = right;
    std::swap(swapped.hops[3].packet.target, swapped.hops[9].packet.target);
    CHECK(exchange_fault(topology, PortModel::all, swapped) != "");
}
