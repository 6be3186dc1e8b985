// Send and exchange on link-bound machines: the times of Stout & Wagar 1990, sections 3 and 4. Sizes that divide have
// the paper's times; the others were worked out by a byte-by-byte simulation of the link model that shares nothing with
// dcube.

#include "tests/support/catch.hpp"
#include "tests/support/link_bound_table.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <cmath>
#include <string>

using namespace dcube;
using namespace test_support;

namespace {

void to_corner(Problem& problem, const LinkColumn& column)
{
    problem.peer = column.corner();
}

void to_distance_2(Problem& problem, const LinkColumn&)
{
    problem.peer = 3;
}

void to_distance_2_in_2_groups(Problem& problem, const LinkColumn&)
{
    problem.peer = 3;
    problem.tuning.groups = problem.tuning.detour_groups = 2;
}

}  // namespace

TEST_CASE("send to the opposite corner takes the times of the paper's section 3", "[link-bound]")
{
    CHECK(times(Collective::send, "S1", to_corner) == "102 516 808 2704 4850 14900");  // d (tau m + beta)
    CHECK(times(Collective::send, "S2", to_corner) == "54 372 232 976 1010 3380");     // d (tau m/d + beta)
    CHECK(times(Collective::send, "S3", to_corner) == "50 360 168 784 562 2036");      // K_(d-1) tau m/d + d beta
    // (g-1)(tau m/(dg) + beta) + K_(d-1) tau m/(dg) + d beta, and as long for both directions at once
    CHECK(times(Collective::send, "S4", to_corner) == "54 442 138 764 352 1616");
    CHECK(times(Collective::exchange, "S4", to_corner) == "54 442 138 764 352 1616");
}

TEST_CASE("send over distance 2 takes the times of the paper's section 4", "[link-bound]")
{
    CHECK(times(Collective::send, "A1", to_distance_2) == "48 354 174 732 650 2300");
    // min(n+g+1, d+g-1) stages: the paper prints n+g-1, but its times are these.
    CHECK(times(Collective::send, "A2", to_distance_2) == "56 448 170 860 406 1708");
    CHECK(times(Collective::send, "X2", to_distance_2) == "98 644 434 1652 1510 5020");
    CHECK(times(Collective::send, "A3", to_distance_2_in_2_groups) == "66 548 146 788 434 1652");
    CHECK(times(Collective::exchange, "A3", to_distance_2_in_2_groups) == "66 548 146 788 434 1652");
}

TEST_CASE("send of sizes that do not divide takes what whole bytes allow", "[link-bound]")
{
    const auto corner_groups = [](std::size_t g) {
        return [g](Problem& problem, unsigned d) {
            problem.peer = (NodeId{1} << d) - 1;
            problem.tuning.groups = g;
        };
    };
    const auto distance_2 = [](Problem& problem, unsigned) {
        problem.peer = 3;
        problem.tuning.groups = problem.tuning.detour_groups = 2;
    };
    CHECK(odd_times(Collective::send, "S3", corner_groups(1)) == "40 47 68 33");
    CHECK(odd_times(Collective::send, "S4", corner_groups(2)) == "47 57 78 -");
    CHECK(odd_times(Collective::send, "A3", distance_2) == "57 55 62 -");
}

// The paper's formulas with fractions of bytes, tau = 1, beta = 100, d = 10; whole bytes round up at every cut.
TEST_CASE("send takes the best numbers of groups and shares", "[link-bound]")
{
    const auto check = [](const char* algorithm, std::size_t bytes, unsigned n, long expected) {
        INFO(algorithm << " m = " << bytes << " n = " << n);
        Problem problem{.collective = Collective::send, .bytes = bytes, .peer = (NodeId{1} << n) - 1};
        problem.link = link_bound(1, 100);
        const Topology cube = Topology::hypercube(10);
        const long time = std::lround(
            find_algorithm(cube, PortModel::all, problem, algorithm).time(cube, problem).value().to_double());
        CHECK(time >= expected);
        CHECK(time <= expected + expected / 10);
    };
    check("A1", 1000, 3, 983);
    check("A2", 1000, 3, 900);
    check("A3", 1000, 3, 783);
    check("A1", 100000, 3, 38006);
    check("A2", 100000, 3, 14400);
    check("A3", 100000, 3, 13110);
    check("A1", 1000, 9, 1163);
    check("A2", 1000, 9, 1600);
    check("A3", 1000, 9, 1326);
    check("A3 balanced", 1000, 3, 698);
    check("A3", 1000000, 3, 108964);
    check("A3 balanced", 1000000, 3, 108658);
}

TEST_CASE("send and exchange send as many packets as they say, for any size and number of groups", "[link-bound][slow]")
{
    Sample sample;
    std::size_t runs = 0;
    for (const Entry& algorithm : catalogue()) {
        if (algorithm.link != LinkKind::link_bound ||
            (algorithm.collective != Collective::send && algorithm.collective != Collective::exchange))
            continue;
        for (const unsigned d : {1U, 3U, 4U}) {
            const Topology cube = Topology::hypercube(d);
            for (const NodeId peer : {NodeId{1}, NodeId{3}, cube.nodes() - 1}) {
                for (const std::size_t bytes : {1U, 3U, 10U, 31U}) {
                    for (const std::size_t g : {0U, 1U, 3U, 8U}) {
                        Problem problem{.collective = algorithm.collective, .bytes = bytes, .peer = peer};
                        problem.link = link_bound(1, 10);
                        problem.tuning.groups = problem.tuning.detour_groups = g;
                        if (peer >= cube.nodes() || !algorithm.obstacle(cube, problem).empty() || !sample.takes_next())
                            continue;
                        INFO(name(algorithm.collective) << " " << algorithm.name << " d = " << d << ", m = " << bytes
                                                        << ", g = " << g << ", peer " << peer);
                        const Report report = run_link_bound(d, problem, std::string(algorithm.name));
                        const Cost cost = algorithm.cost(cube, problem);
                        CHECK(report.counts.transmissions == cost.transmissions);
                        CHECK(report.counts.steps <= cost.steps);
                        ++runs;
                    }
                }
            }
        }
    }
    CHECK(runs > 20);
}

TEST_CASE("send refuses more groups than bytes", "[link-bound][negative]")
{
    const Topology cube = Topology::hypercube(4);
    Problem problem{.collective = Collective::send, .bytes = 64, .peer = 3};
    problem.link = link_bound(1, 10);
    for (const char* const name : {"subcube", "detour-groups", "subcubes", "subcubes-balanced", "waves"}) {
        problem.tuning.groups = 64;
        CHECK(find_algorithm(cube, PortModel::all, problem, name).name == name);
        problem.tuning.groups = 2147483648;
        CHECK_THROWS_AS(find_algorithm(cube, PortModel::all, problem, name), InvalidArgument);
    }
    problem.tuning.groups = 0;
    problem.tuning.detour_groups = 65;
    CHECK_THROWS_WITH(find_algorithm(cube, PortModel::all, problem, "subcubes"),
                      Catch::Contains("in at most 64 groups, and 65 on detours are asked for"));
}
