// mixed-routes: close to the bound on one port, where factor-by-factor takes one and a half times as many steps.

#include "algorithms/papers/dimakopoulos/exchanges.hpp"
#include "base/planning.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/exchange_check.hpp"
#include "tests/support/same_schedule.hpp"
#include "tests/support/search_figures.hpp"
#include "tests/support/sizes.hpp"

#include <vector>

using namespace dcube;
using namespace dcube::detail;
using dcube::test::check_at_most;
using dcube::test::exchange_fault;
using dcube::test::Figure;
using test_support::sanitized;
using test_support::smaller;

TEST_CASE("mixed-routes: meshes take as many steps as the bound, or few more", "[dimakopoulos]")
{
    // The first five have bounds of 18, 75, 40, 30 and 77. The node in the middle of a path must send as much.
    constexpr unsigned little = 30;
    const std::vector<Figure> figures = {{"mesh:3x3", 18}, {"mesh:3x3x3", 75}, {"mesh:4x4", 43},
                                         {"mesh:2x6", 36}, {"mesh:4x6", 83},   {"petersen*path:3", 72},
                                         {"path:5", 12},   {"path:6", 17},     {"hypercube:0", 0}};
    for (const auto& [network, steps] : figures) {
        INFO(network);
        const Topology topology = Topology::parse(network);
        const Schedule schedule = mixed_routes_by_search(topology, mixed_routes_seed, smaller(little, 1U));
        CHECK(exchange_fault(topology, PortModel::one, schedule) == "");
        if (!sanitized)
            CHECK(schedule.steps <= steps);
    }
}

TEST_CASE("mixed-routes: planning ends soon where all shortest paths of many packets lead through one node",
          "[dimakopoulos]")
{
    // A wheel: of 16 nodes around the hub each sends to 11 others through it, and it to all.
    std::vector<std::pair<NodeId, NodeId>> edges;
    for (NodeId node = 1; node <= 16; ++node) {
        edges.emplace_back(0, node);
        edges.emplace_back(node, node % 16 + 1);
    }
    const Topology wheel = Topology::product({Graph::from_edges("wheel", edges)}, "wheel");
    std::uint64_t calls = 0;
    const PlanningScope counted({}, [&](const PlanningStage&) { ++calls; });
    CHECK(mixed_routes(wheel).steps == 16 * 11 + 16);
    CHECK(calls < 10'000);  // a schedule has about 200 steps, and each asks 17 times
}

TEST_CASE("mixed-routes: the default effort finds schedules of the expected steps", "[dimakopoulos][long]")
{
    check_at_most({{"mesh:3x5", 41}, {"mesh:3x4x5", 226}, {"mesh:8x8", 360}}, PortModel::one, mixed_routes);
}

TEST_CASE("mixed-routes: planning twice gives the same schedule", "[dimakopoulos]")
{
    const Topology mesh = Topology::parse("mesh:3x4");
    CHECK(dcube::test::same(mixed_routes_by_search(mesh, 7, 2), mixed_routes_by_search(mesh, 7, 2)));
}
