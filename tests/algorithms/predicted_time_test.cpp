// Predicted times against those of runs, which move every byte.

#include "collectives/example.hpp"
#include "tests/support/catalogue_cases.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/link_bound.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <string>

using namespace dcube;
using namespace test_support;

namespace {

Rational measured(const Case& one)
{
    MachineOptions options;
    options.threads = 1;
    options.link = one.problem.link;
    Machine machine(one.topology, options);
    return run_verified(machine, one.algorithm, one.problem).virtual_time_ns.value();
}

std::string limit(const Case& one)
{
    const auto& of = one.algorithm.time_limit ? one.algorithm.time_limit : one.algorithm.time;
    return to_string(of(one.topology, one.problem).value());
}

Case in_lockstep(Case one)
{
    one.problem.link.clock = LinkClock::lockstep;
    return one;
}

PredictedTime predicted(const std::string& algorithm, const Topology& topology, const Problem& problem)
{
    return predicted_time(find_algorithm(topology, PortModel::all, problem, algorithm), topology, problem).value();
}

}  // namespace

TEST_CASE("predicted times are those of runs, for messages of any size, and limits are limits", "[link-bound][slow]")
{
    int cases = 0;
    for_each_link_bound_case(1, smaller(5U, 4U, 3U), {1, 23, 100}, 5, [&](const Case& one) {
        INFO(words(one));
        const Rational time = measured(one);
        const auto told = predicted_time(one.algorithm, one.topology, one.problem);
        REQUIRE(told);
        CHECK(told->exact);
        CHECK(to_string(told->ns) == to_string(time));
        INFO("at most " << limit(one));
        CHECK(parse_rational("limit", limit(one)) >= time);
        ++cases;
    });
    CHECK(cases > smaller(3000, 300, 100));
}

TEST_CASE("predicted times are those of runs on the lockstep clock too", "[link-bound][slow]")
{
    for_each_link_bound_case(1, smaller(4U, 3U, 3U), {5, 23}, 5, [&](const Case& small) {
        const Case one = in_lockstep(small);
        INFO(words(one));
        const auto told = predicted_time(one.algorithm, one.topology, one.problem);
        REQUIRE(told);
        CHECK(told->exact);
        CHECK(to_string(told->ns) == to_string(measured(one)));
    });
}

TEST_CASE("predicted times of algorithms of the unit model are those of runs", "[link-bound][long]")
{
    int cases = 0;
    for_each_unit_case(smaller(4U, 3U, 3U), 5, [&](const Case& unit) {
        for (const LinkClock clock : {LinkClock::data_driven, LinkClock::lockstep}) {
            Case one = unit;
            one.problem.link = link_bound(3, 100);
            one.problem.link.clock = clock;
            INFO(words(one) << ", " << name(clock));
            const auto told = predicted_time(one.algorithm, one.topology, one.problem);
            REQUIRE(told);
            ++cases;
            // The second of two exchanges begins where the first has ended, which may be early at some nodes.
            if (one.algorithm.name.starts_with("segments") && clock == LinkClock::data_driven) {
                CHECK(told->ns >= measured(one));
                continue;
            }
            CHECK(told->exact);
            CHECK(to_string(told->ns) == to_string(measured(one)));
        }
    });
    CHECK(cases > smaller(1000, 100, 100));
}

TEST_CASE("rounds of a schedule are predicted without going through all of them", "[link-bound]")
{
    for (const char* const network : {"torus:3x4", "mesh:2x3", "petersen"})
        for (const std::size_t packets : {1U, 2U, 3U, 9U, 40U}) {
            const Topology topology = Topology::parse(network);
            for (const Collective collective : {Collective::all_to_all, Collective::all_gather}) {
                Problem problem = example_problem(collective, topology);
                problem.packets = packets;
                problem.link = link_bound(2, 7);
                const Case one{find_algorithm(topology, PortModel::all, problem, "auto"), topology, problem};
                INFO(words(one));
                const auto told = predicted_time(one.algorithm, topology, problem);
                REQUIRE(told);
                CHECK(to_string(told->ns) == to_string(measured(one)));
            }
        }
}

TEST_CASE("an algorithm's time floor, which needs no plan, is at most its predicted time", "[link-bound]")
{
    std::size_t told = 0;
    for (const unsigned d : {1U, 3U, 5U})
        for (const Entry& algorithm : catalogue())
            for (const std::size_t bytes : {1U, 7U, 32U, 700U}) {
                const Topology cube = Topology::hypercube(d);
                Problem problem = example_problem(algorithm.collective, cube);
                problem.link = link_bound(3, 11);
                problem.bytes = bytes;
                if (!algorithm.time_floor || !obstacle_of(algorithm, cube, PortModel::all, problem).empty())
                    continue;
                for (const LinkClock clock : {LinkClock::data_driven, LinkClock::lockstep}) {
                    problem.link.clock = clock;
                    const Rational floor = algorithm.time_floor(cube, problem);
                    INFO(algorithm.name << " d " << d << ", " << bytes << " bytes");
                    CHECK(floor <= predicted_time(algorithm, cube, problem)->ns);
                    CHECK(Rational{0, 1} < floor);
                    ++told;
                }
            }
    CHECK(told >= 20);
}

TEST_CASE("predicted times that take too much work to find exactly are given as upper limits", "[link-bound]")
{
    const Topology cube = Topology::hypercube(10);
    Problem problem{.collective = Collective::permute, .bytes = 3000};
    problem.permutation = permutation_by_name("random", cube);
    problem.link = link_bound(1, 10);
    const PredictedTime time = predicted("two-exchanges", cube, problem);
    CHECK_FALSE(time.exact);
    // Packets of 3 bytes at most, in parts of a byte; 512 of them cross a link in each of ten stages, twice.
    CHECK(to_string(time.ns) == std::to_string(2 * 10 * (512 + 10)));
    problem.link.clock = LinkClock::lockstep;
    CHECK_FALSE(predicted_time(find_algorithm(cube, PortModel::all, problem, "two-exchanges"), cube, problem));
}

TEST_CASE("many packets of large cubes are predicted exactly where their sizes are known without them", "[link-bound]")
{
    const Topology cube = Topology::hypercube(12);
    for (const Collective collective : {Collective::all_gather, Collective::reduce_scatter}) {
        Problem problem{.collective = collective, .bytes = 24};
        problem.link = link_bound(1, 10);
        CHECK(predicted("rotated", cube, problem) == PredictedTime{{4095 * 2 + 12 * 10, 1}, true});
    }
}
