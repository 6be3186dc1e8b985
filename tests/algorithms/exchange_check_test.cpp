// The checker of total exchange schedules accepts right ones, and refuses wrong ones.

#include "algorithms/papers/dimakopoulos/exchanges.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/exchange_check.hpp"

#include <cstddef>
#include <utility>

using namespace dcube;
using namespace dcube::detail;
using dcube::test::exchange_fault;
using dcube::test::Routes;

namespace {

Schedule without(Schedule schedule, std::size_t hop)
{
    schedule.hops.erase(schedule.hops.begin() + static_cast<std::ptrdiff_t>(hop));
    return schedule;
}

}  // namespace

TEST_CASE("the checker follows schedules that alternate", "[exchange-check]")
{
    // The packets to the opposite node go up from even nodes, down from odd ones.
    const Topology ring = Topology::parse("ring:4");
    Schedule schedule{Symmetry::translated,
                      2,
                      {{1, 0, 0, {0, 2, 0}},
                       {1, 0, 1, {0, 3, 0}},
                       {1, 1, 0, {0, 1, 0}},
                       {1, 1, 1, {0, 2, 0}},
                       {2, 0, 0, {0, 1, 0}},
                       {2, 0, 1, {1, 3, 0}},
                       {2, 1, 0, {3, 1, 0}},
                       {2, 1, 1, {0, 3, 0}}},
                      {0}};
    CHECK(exchange_fault(ring, PortModel::all, schedule) == "");
    schedule.alternating = {1};
    CHECK_THAT(exchange_fault(ring, PortModel::all, schedule), Catch::Contains("alternates in digit 1"));
    schedule.alternating = {};
    CHECK_THAT(exchange_fault(ring, PortModel::all, schedule), Catch::Contains("kind 1 is not possible"));
}

TEST_CASE("the checker finds steps without hops, and hops that are not in the order of their steps",
          "[exchange-check][negative]")
{
    const Topology complete = Topology::parse("complete:4");
    const Schedule one_step{
        Symmetry::translated, 1, {{1, 0, 0, {0, 1, 0}}, {1, 0, 1, {0, 2, 0}}, {1, 0, 2, {0, 3, 0}}}};
    CHECK(exchange_fault(complete, PortModel::all, one_step) == "");
    CHECK(exchange_fault(Topology::parse("hypercube:0"), PortModel::one, {Symmetry::none, 0, {}}) == "");
    Schedule longer = one_step;
    ++longer.steps;
    CHECK_THAT(exchange_fault(complete, PortModel::all, longer), Catch::Contains("the last hop is of step 1"));
    Schedule late = one_step;
    late.hops[1].step = late.steps = 2;
    CHECK_THAT(exchange_fault(complete, PortModel::all, late), Catch::Contains("not in the order of their steps"));
    CHECK(exchange_fault(Topology::parse("hypercube:0"), PortModel::one, {Symmetry::none, 1, {}}) != "");
}

TEST_CASE("the checker tells shortest routes from others", "[exchange-check][negative]")
{
    const Topology triangle = Topology::parse("complete:3");
    const Schedule one_way_round{
        Symmetry::translated, 3, {{1, 0, 0, {0, 2, 0}}, {2, 0, 0, {2, 1, 0}}, {3, 0, 0, {0, 1, 0}}}};
    CHECK(exchange_fault(triangle, PortModel::one, one_way_round, Routes::any) == "");
    CHECK(exchange_fault(triangle, PortModel::one, one_way_round) == "it sends 9 packets, not 6");
}

TEST_CASE("the checker refuses schedules with a hop too few or too many", "[exchange-check][negative]")
{
    const Topology star = Topology::parse("star:4");
    const Schedule by_generators = class_matching(star);
    const Topology mesh = Topology::parse("mesh:3x3");
    const Schedule by_nodes = *farthest_first_within(mesh, 1, ~0ULL);
    for (const auto& [topology, right] : {std::pair(star, by_generators), std::pair(mesh, by_nodes)})
        for (std::size_t i = 0; i < right.hops.size(); ++i) {
            CHECK(exchange_fault(topology, PortModel::all, without(right, i)) != "");
            Schedule repeated = right;
            const auto at = repeated.hops.begin() + static_cast<std::ptrdiff_t>(i);
            repeated.hops.insert(at, *at);
            CHECK(exchange_fault(topology, PortModel::all, repeated, Routes::any) != "");
        }
    CHECK_THAT(exchange_fault(star, PortModel::one, by_generators), Catch::Contains("one-port machine"));
    CHECK(exchange_fault(mesh, PortModel::one, by_nodes) != "");
}

TEST_CASE("the checker sees two packets received on one port", "[exchange-check][negative]")
{
    const Schedule meeting{Symmetry::none, 1, {{1, 0, 0, {0, 1, 0}}, {1, 2, 0, {2, 1, 0}}}};
    CHECK_THAT(exchange_fault(Topology::parse("path:3"), PortModel::one, meeting), Catch::Contains("one-port machine"));
}
