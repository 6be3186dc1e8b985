// Packets matched to ports, the most important first.

#include "collectives/graphs/port_matching.hpp"
#include "tests/support/catch.hpp"

#include <vector>

using namespace dcube;
using namespace dcube::detail;

TEST_CASE("packets are matched to ports by importance", "[search]")
{
    using Ports = std::vector<Port>;
    PortMatching matching;
    matching.reset(3);
    CHECK(matching.add(Ports{0, 1}));
    CHECK(matching.add(Ports{0}));  // the first packet moves to port 1
    CHECK_FALSE(matching.add(Ports{1, 0}));
    CHECK_FALSE(matching.full());
    CHECK(matching.add(Ports{1, 2}));
    CHECK(matching.full());
    CHECK(matching.packets() == 3);
    CHECK(matching.port_of(0) == 1);
    CHECK(matching.port_of(1) == 0);
    CHECK(matching.port_of(2) == 2);
}

TEST_CASE("a port is closed when its packet cannot move elsewhere", "[search]")
{
    using Ports = std::vector<Port>;
    PortMatching matching;
    matching.reset(3);
    CHECK(matching.add(Ports{0}));
    CHECK(matching.add(Ports{1, 2}));
    CHECK_FALSE(matching.closed(0));  // no packet was refused there yet
    CHECK_FALSE(matching.add(Ports{0}));
    CHECK(matching.closed(0));
    CHECK_FALSE(matching.closed(1));
    CHECK(matching.add(Ports{0, 1}));  // the second packet moves to port 2
    CHECK(matching.port_of(1) == 2);
    matching.reset(3);
    CHECK_FALSE(matching.closed(0));
}

TEST_CASE("packets that push each other along 20 000 ports need no deeper stack", "[search][long]")
{
    constexpr Port ports = 20'000;
    PortMatching matching;
    matching.reset(ports);
    for (Port port = 0; port + 1 < ports; ++port)
        REQUIRE(matching.add(std::vector<Port>{port, port + 1}));
    REQUIRE(matching.add(std::vector<Port>{0}));
    CHECK(matching.full());
    CHECK(matching.port_of(0) == 1);
    CHECK(matching.port_of(ports - 2) == ports - 1);
    CHECK(matching.port_of(ports - 1) == 0);
}
