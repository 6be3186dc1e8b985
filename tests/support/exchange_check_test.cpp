// The checker of total exchange schedules accepts right ones, and names the rule that wrong ones break.

#include "algorithms/dimakopoulos/class_matching.hpp"
#include "algorithms/dimakopoulos/farthest_first.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/exchange_check.hpp"

#include <algorithm>
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

// Three nodes in a row; node 1's port 0 leads to node 0, its port 1 to node 2.
const Topology row = Topology::parse("path:3");

Schedule exchange_in_a_row()
{
    return {Symmetry::none,
            2,
            {{1, 0, 0, {0, 2, 0}},
             {1, 1, 0, {1, 0, 0}},
             {1, 1, 1, {1, 2, 0}},
             {1, 2, 0, {2, 0, 0}},
             {2, 0, 0, {0, 1, 0}},
             {2, 1, 1, {0, 2, 0}},
             {2, 1, 0, {2, 0, 0}},
             {2, 2, 0, {2, 1, 0}}}};
}

}  // namespace

TEST_CASE("the checker accepts right schedules", "[exchange-check]")
{
    CHECK(exchange_fault(row, PortModel::all, exchange_in_a_row()) == "");
    const Topology complete = Topology::parse("complete:4");
    const Schedule one_step{
        Symmetry::translated, 1, {{1, 0, 0, {0, 1, 0}}, {1, 0, 1, {0, 2, 0}}, {1, 0, 2, {0, 3, 0}}}};
    CHECK(exchange_fault(complete, PortModel::all, one_step) == "");
    CHECK(exchange_fault(Topology::parse("hypercube:0"), PortModel::one, {Symmetry::none, 0, {}}) == "");
}

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
    CHECK_THAT(exchange_fault(ring, PortModel::all, schedule), Catch::Contains("alternates where it cannot"));
    schedule.alternating = {};
    CHECK_THAT(exchange_fault(ring, PortModel::all, schedule), Catch::Contains("no such node"));
}

TEST_CASE("the checker names the rule that is broken", "[exchange-check][negative]")
{
    const Schedule right = exchange_in_a_row();
    const auto fault_with = [&](const Hop& hop) {
        Schedule wrong = right;
        wrong.hops.push_back(hop);
        wrong.steps = std::max(wrong.steps, hop.step);
        return exchange_fault(row, PortModel::all, wrong);
    };
    CHECK_THAT(fault_with({3, 0, 0, {1, 2, 0}}), Catch::Contains("the packet is at node 2"));
    CHECK_THAT(fault_with({3, 2, 1, {1, 2, 0}}), Catch::Contains("no such port"));
    CHECK_THAT(fault_with({2, 0, 0, {1, 0, 0}}), Catch::Contains("the link is used twice"));
    CHECK_THAT(fault_with({2, 2, 0, {0, 2, 0}}), Catch::Contains("moves twice"));
    CHECK_THAT(fault_with({3, 1, 0, {1, 1, 0}}), Catch::Contains("no packet of the exchange"));
    CHECK_THAT(fault_with({3, 2, 0, {1, 2, 0}}), Catch::Contains("packet (1, 2) ends at node 1"));
    CHECK_THAT(fault_with({3, 3, 0, {1, 2, 0}}), Catch::Contains("no such node"));
    CHECK_THAT(fault_with({3, 0, 0, {0, 3, 0}}), Catch::Contains("no such node"));
    CHECK_THAT(fault_with({3, 0, 0, {0, 2, 1}}), Catch::Contains("a copy or a sum"));
    CHECK_THAT(fault_with({1, 0, 0, {0, 1, 0}}), Catch::Contains("stands behind step 2"));
    CHECK_THAT(fault_with({0, 0, 0, {0, 1, 0}}), Catch::Contains("step 0"));
}

TEST_CASE("the checker knows what steps there are", "[exchange-check][negative]")
{
    Schedule longer = exchange_in_a_row();
    ++longer.steps;
    CHECK_THAT(exchange_fault(row, PortModel::all, longer), Catch::Contains("step 3, the last one, is empty"));
    Schedule shorter = exchange_in_a_row();
    --shorter.steps;
    CHECK_THAT(exchange_fault(row, PortModel::all, shorter), Catch::Contains("there is a step 2"));
    CHECK(exchange_fault(Topology::parse("hypercube:0"), PortModel::one, {Symmetry::none, 1, {}}) != "");
    Schedule rooted = exchange_in_a_row();
    rooted.symmetry = Symmetry::rooted;
    CHECK_THAT(exchange_fault(row, PortModel::all, rooted), Catch::Contains("no root"));
}

TEST_CASE("the checker tells shortest routes from others", "[exchange-check][negative]")
{
    const Topology triangle = Topology::parse("complete:3");
    const Schedule one_way_round{
        Symmetry::translated, 3, {{1, 0, 0, {0, 2, 0}}, {2, 0, 0, {2, 1, 0}}, {3, 0, 0, {0, 1, 0}}}};
    CHECK(exchange_fault(triangle, PortModel::one, one_way_round, Routes::any) == "");
    CHECK_THAT(exchange_fault(triangle, PortModel::one, one_way_round), Catch::Contains("takes 2 hops, not 1"));
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
    CHECK_THAT(exchange_fault(star, PortModel::one, by_generators), Catch::Contains("sends twice"));
    CHECK(exchange_fault(mesh, PortModel::one, by_nodes) != "");
}

TEST_CASE("the checker sees two packets received on one port", "[exchange-check][negative]")
{
    const Schedule meeting{Symmetry::none, 1, {{1, 0, 0, {0, 1, 0}}, {1, 2, 0, {2, 1, 0}}}};
    CHECK_THAT(exchange_fault(row, PortModel::one, meeting), Catch::Contains("node 1 receives twice"));
}
