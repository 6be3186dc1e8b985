// digit-rounds: N / n times the longest exchange of a factor, on any number of factors.

#include "algorithms/papers/dimakopoulos/exchanges.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/exchange_check.hpp"
#include "tests/support/sizes.hpp"

#include <map>
#include <string>

using namespace dcube;
using namespace dcube::detail;
using dcube::test::exchange_fault;
using test_support::smaller;

TEST_CASE("digit-rounds: schedules are legal, and as long as the closed form says", "[dimakopoulos][slow]")
{
    const std::map<std::string, unsigned> equal_factors = {{"mesh:3x3x3x3", 54},    {"mesh:4x4x4x4", 256},
                                                           {"kary:4^4", 128},       {"ghc:3x3x3x3", 27},
                                                           {"mesh:3x3x3x3x3", 162}, {"path:4*ring:4*complete:4", 64},
                                                           {"kary:5^3", 75}};
    for (const auto& [network, steps] : equal_factors) {
        const Topology topology = Topology::parse(network);
        if (topology.nodes() > smaller(256U, 64U))
            continue;
        INFO(network);
        const Schedule schedule = digit_rounds(topology);
        CHECK(schedule.steps == steps);
        CHECK(exchange_fault(topology, PortModel::all, schedule) == "");
    }
}
