// Cheapest paths, searched again under new costs, are those that a search from scratch finds.

#include "tests/support/catch.hpp"
#include "tests/support/networks.hpp"

#include "collectives/graphs/cheapest_paths.hpp"

#include <dcube/random.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

using namespace dcube;
using namespace dcube::detail;

namespace {

using Costs = std::vector<std::uint64_t>;

// Bellman and Ford's, without an order.
Costs distances(const Arcs& arcs, NodeId source, const Costs& costs)
{
    Costs distance(arcs.nodes(), std::numeric_limits<std::uint64_t>::max() / 2);
    distance[source] = 0;
    for (NodeId round = 1; round < arcs.nodes(); ++round)
        for (ArcId arc = 0; arc < arcs.size(); ++arc)
            distance[arcs.to(arc)] = std::min(distance[arcs.to(arc)], distance[arcs.from(arc)] + costs[arc]);
    return distance;
}

void check_paths(const Arcs& arcs, const CheapestPaths& paths, NodeId source, const Costs& costs)
{
    const Costs expected = distances(arcs, source, costs);
    std::vector<ArcId> path;
    REQUIRE(paths.order().size() == arcs.nodes());
    std::vector<bool> seen(arcs.nodes());
    for (const NodeId node : paths.order()) {
        CHECK(paths.distance(node) == expected[node]);
        CHECK((node == source || seen[arcs.from(paths.arc_to(node))]));
        seen[node] = true;
        paths.path_to(node, path);
        NodeId at = source;
        std::uint64_t paid = 0;
        for (const ArcId arc : path) {
            CHECK(arcs.from(arc) == at);
            at = arcs.to(arc);
            paid += costs[arc];
        }
        CHECK(at == node);
        CHECK(paid == expected[node]);
    }
}

}  // namespace

TEST_CASE("cheapest paths: as a search from scratch finds them, however the costs change", "[graphs]")
{
    Random random(1);
    for (unsigned seed = 0; seed < 8; ++seed) {
        const Topology topology = dcube::test::random_product(seed);
        CAPTURE(topology.name());
        const Arcs arcs(topology);
        Costs costs(arcs.size(), 1);
        const NodeId source = topology.nodes() / 2;
        CheapestPaths paths(arcs, source);
        for (const std::uint64_t range : {1U, 2U, 100U, 1000000U, 3U}) {
            for (std::uint64_t& cost : costs)
                cost = 1 + random.below(range);
            paths.search([&](NodeId, ArcId arc, NodeId) { return costs[arc]; });
            check_paths(arcs, paths, source, costs);
        }
    }
}

TEST_CASE("powers of two: to six digits what the standard library says", "[graphs]")
{
    for (std::int64_t exponent = -20 * exponent_unit; exponent <= 20 * exponent_unit; exponent += 997) {
        const double exact = std::exp2(static_cast<double>(exponent) / exponent_unit + 30);
        CHECK(std::abs(static_cast<double>(power_of_two(exponent, 30)) - exact) <= 1 + exact * 2e-6);
    }
    CHECK(power_of_two(0, 24) == 1 << 24);
    CHECK(power_of_two(-100 * exponent_unit, 24) == 0);
    CHECK(power_of_two(-24 * exponent_unit, 24) == 1);
}
