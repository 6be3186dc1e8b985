#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/tree_pipeline.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/hypercube_run.hpp"
#include "tests/support/sizes.hpp"

#include <array>
#include <fmt/format.h>

#include <map>
#include <utility>

using namespace dcube;
using namespace dcube::detail;
using namespace test_support;

TEST_CASE("the first broadcast tree of the 3-cube is that of the worked example", "[algorithms][broadcast]")
{
    const auto link = [](NodeId x) {
        const auto [parent, stage] = tree_link(3, 0, x, true);
        return fmt::format("{:03b}/{}", parent, stage);
    };
    CHECK(link(0b001) == "000/0");
    CHECK(link(0b011) == "001/1");
    CHECK(link(0b101) == "001/1");
    CHECK(link(0b111) == "011/2");
    CHECK(link(0b100) == "000/1");
    CHECK(link(0b110) == "100/2");
    CHECK(link(0b010) == "011/2");
}

TEST_CASE("the d broadcast trees use every directed link that does not enter the root exactly once",
          "[algorithms][broadcast]")
{
    for (unsigned d = 1; d <= 9; ++d) {
        std::map<std::pair<NodeId, NodeId>, int> uses;
        for (unsigned tree = 0; tree < d; ++tree)
            for (NodeId x = 1; x < bit(d); ++x)
                ++uses[{tree_link(d, tree, x, false).parent, x}];
        CHECK(uses.size() == std::size_t{d} * (bit(d) - 1));
    }
}

TEST_CASE("broadcasts of several packets need the steps of the literature", "[algorithms][broadcast]")
{
    for (unsigned d = 1; d <= smaller(10U, 5U); ++d) {
        const std::array packets{1U, d, d + 1, 2 * d + 1};
        const std::array all_ports{d, d, d + 1, d + 2};
        const std::array one_port{d, 2 * d - 1, 2 * d, 3 * d};
        for (std::size_t i = 0; i < packets.size(); ++i) {
            if (d == 1 && i > 1)
                continue;  // with one port all ports are one
            CAPTURE(d, packets[i]);
            for (const Collective collective : {Collective::broadcast, Collective::reduce}) {
                CHECK(run_one(d, PortModel::all, collective, packets[i], "auto", 2).counts.steps == all_ports[i]);
                CHECK(run_one(d, PortModel::one, collective, packets[i], "auto", 2).counts.steps == one_port[i]);
            }
        }
    }
}
