// Schedules that are found by search, the matchings they are made of, and the checker that judges them all.

#include "algorithms/dimakopoulos/class_matching.hpp"
#include "algorithms/dimakopoulos/farthest_first.hpp"
#include "algorithms/dimakopoulos/mixed_routes.hpp"
#include "algorithms/search/assignment.hpp"
#include "algorithms/search/port_matching.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/exchange_check.hpp"
#include "tests/support/sizes.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <vector>

using namespace dcube;
using namespace dcube::detail;
using dcube::test::exchange_fault;
using dcube::test::Routes;
using test_support::sanitized;
using test_support::smaller;

namespace {

struct Figure {
    std::string network;
    unsigned steps;
};

auto as_tuple(const Hop& hop)
{
    return std::tuple(hop.step, hop.from, hop.port, hop.packet.origin, hop.packet.target, hop.packet.copy, hop.arrival);
}

bool same(const Schedule& a, const Schedule& b)
{
    return a.symmetry == b.symmetry && a.steps == b.steps && a.alternating == b.alternating &&
           std::ranges::equal(a.hops, b.hops, {}, as_tuple, as_tuple);
}

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

PairWeights::Weight weight_of(const PairWeights& weights, const std::vector<std::size_t>& rights)
{
    PairWeights::Weight sum = 0;
    for (std::size_t left = 0; left < rights.size(); ++left)
        sum += weights.at(left, rights[left]);
    return sum;
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
    const Schedule by_generators = cayley_exchange(star);
    const Topology mesh = Topology::parse("mesh:3x3");
    const Schedule by_nodes = greedy_exchange(mesh, 1);
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

TEST_CASE("packets are matched to ports by importance", "[matching]")
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

TEST_CASE("the heaviest matching is the heaviest of all", "[matching]")
{
    std::mt19937 random(3);
    for (std::size_t nodes = 1; nodes <= 6; ++nodes)
        for (int repeat = 0; repeat < 20; ++repeat) {
            PairWeights weights(nodes);
            for (std::size_t left = 0; left < nodes; ++left)
                for (std::size_t right = 0; right < nodes; ++right)
                    weights.at(left, right) = random() % 3 == 0 ? 0 : random() % 50;
            std::vector<std::size_t> rights(nodes);
            std::iota(rights.begin(), rights.end(), std::size_t{0});
            PairWeights::Weight most = 0;
            do {
                most = std::max(most, weight_of(weights, rights));
            } while (std::ranges::next_permutation(rights).found);
            const std::vector<std::size_t> found = heaviest_matching(weights);
            CHECK(std::ranges::is_permutation(found, rights));
            CHECK(weight_of(weights, found) == most);
        }
}

// Behind the steps stands what bounds them.
TEST_CASE("Cayley graphs: total exchange on all ports", "[cayley-exchange]")
{
    const std::vector<Figure> figures = {
        {"star:3", 5},
        {"star:4", 21},             // average load of the links
        {"star:5", 111},            // the same
        {"pancake:4", 20},          // the same
        {"pancake:5", 107},         // the same
        {"circulant:13,1,5", 5},    // the same
        {"ccc:3", 36},              // load of the links between cycles
        {"ccc:4", 128},             // the same
        {"ccc:5", 400},             // the same
        {"torus:6x6", 27},          // abelian_exchange takes as many
        {"ghc:3x4x5", 20},          // the same
        {"star:4*ring:3", 62},      // average load of the star's links
        {"star:4*pancake:3", 124},  // the same
        {"complete:2", 1},
        {"hypercube:6", 32},
        {"hypercube:0", 0},
    };
    for (const auto& [network, steps] : figures) {
        INFO(network);
        const Topology topology = Topology::parse(network);
        const Schedule schedule = cayley_exchange(topology);
        CHECK(schedule.symmetry == Symmetry::translated);
        CHECK(schedule.steps == steps);
        CHECK(exchange_fault(topology, PortModel::all, schedule) == "");
    }
}

TEST_CASE("Cayley graphs of 720 nodes: total exchange on all ports", "[cayley-exchange]")
{
    if (sanitized)
        return;
    for (const auto& [network, steps] : std::vector<Figure>{{"star:6", 689}, {"pancake:6", 661}}) {
        INFO(network);
        const Topology topology = Topology::parse(network);
        const Schedule schedule = cayley_exchange(topology);
        CHECK(schedule.steps <= steps);
        CHECK(exchange_fault(topology, PortModel::all, schedule) == "");
    }
}

TEST_CASE("any graph: total exchange farthest first", "[greedy-exchange]")
{
    // Steps are those of a plain greedy method, the best of a few seeds; the Petersen graph's are its cut's.
    const std::vector<Figure> figures = {
        {"petersen", 5},    {"hypercube:3", 5},    {"hypercube:4", 10},   {"hypercube:5", 20}, {"torus:3x4", 7},
        {"torus:4x6", 20},  {"torus:5x5", 18},     {"torus:6x6", 33},     {"kary:4^3", 40},    {"ghc:4x4", 6},
        {"ghc:3x4x5", 25},  {"mesh:3x3", 7},       {"mesh:4x4", 18},      {"mesh:3x5", 19},    {"mesh:3x3x3", 23},
        {"mesh:3x4x5", 78}, {"path:4*ring:3", 13}, {"path:5*ring:7", 45}, {"hypercube:0", 0}};
    for (const auto& [network, steps] : figures) {
        INFO(network);
        const Topology topology = Topology::parse(network);
        const Schedule schedule = greedy_exchange(topology, 8);
        CHECK(schedule.steps <= steps);
        CHECK(exchange_fault(topology, PortModel::all, schedule) == "");
    }
}

TEST_CASE("meshes: total exchange on one port by mixed routes", "[mixed-routes]")
{
    // The first five have bounds of 18, 75, 40, 30 and 77. The node in the middle of a path must send as much.
    constexpr unsigned little = 30;
    const std::vector<Figure> figures = {{"mesh:3x3", 18}, {"mesh:3x3x3", 75}, {"mesh:4x4", 43},
                                         {"mesh:2x6", 36}, {"mesh:4x6", 83},   {"petersen*path:3", 72},
                                         {"path:5", 12},   {"path:6", 17},     {"hypercube:0", 0}};
    for (const auto& [network, steps] : figures) {
        INFO(network);
        const Topology topology = Topology::parse(network);
        const Schedule schedule = mixed_routes(topology, mixed_routes_seed, smaller(little, 1U));
        CHECK(exchange_fault(topology, PortModel::one, schedule) == "");
        if (!sanitized)
            CHECK(schedule.steps <= steps);
    }
}

TEST_CASE("mixed routes by default", "[mixed-routes]")
{
    if (sanitized)
        return;
    for (const auto& [network, steps] : std::vector<Figure>{{"mesh:3x5", 41}, {"mesh:3x4x5", 226}, {"mesh:8x8", 360}}) {
        INFO(network);
        const Topology topology = Topology::parse(network);
        const Schedule schedule = mixed_routes(topology, mixed_routes_seed, mixed_routes_effort);
        CHECK(schedule.steps <= steps);
        CHECK(exchange_fault(topology, PortModel::one, schedule) == "");
    }
}

TEST_CASE("searches find the same again", "[cayley-exchange][greedy-exchange][mixed-routes]")
{
    const Topology star = Topology::parse("star:5");
    CHECK(same(cayley_exchange(star), cayley_exchange(star)));
    const Topology mesh = Topology::parse("mesh:3x4");
    CHECK(same(greedy_exchange(mesh, 5), greedy_exchange(mesh, 5)));
    CHECK(same(mixed_routes(mesh, 7, 2), mixed_routes(mesh, 7, 2)));
    CHECK(greedy_exchange(mesh, 20).steps <= greedy_exchange(mesh, 1).steps);
}
