// Scans on other networks than hypercubes.

#include "tests/support/catch.hpp"
#include "tests/support/map_composition.hpp"

#include <dcube/dcube.hpp>

#include <fmt/format.h>

#include <string>

using namespace dcube;

namespace {

Problem scan_of(Collective collective, std::size_t blocks)
{
    Problem problem{.collective = collective, .packets = blocks};
    problem.own_operation = test_support::map_composition();
    problem.bytes = problem.own_operation->element;
    return problem;
}

const char* const rows_and_others[] = {"path:2",
                                       "path:7",
                                       "mesh:3x4",
                                       "torus:3x4",
                                       "ring:5*path:2",
                                       "complete:4*path:3",
                                       "mesh:2x3x4",
                                       "complete:6",
                                       "petersen",
                                       "star:3",
                                       "hypercube:3 without 5",
                                       "mesh:3x3 without 4",
                                       "hypercube:4 without 0-1"};

}  // namespace

TEST_CASE("scan: every algorithm that can do it gives the sums in the order of the nodes, on every network",
          "[algorithms][scan][slow]")
{
    std::size_t runs = 0;
    for (const char* const text : rows_and_others)
        for (const Collective collective : {Collective::scan, Collective::exscan}) {
            const Topology topology = Topology::parse(text);
            for (const std::size_t blocks : {std::size_t{1}, std::size_t{3}, std::size_t{topology.members()}}) {
                const Problem problem = scan_of(collective, blocks);
                for (const Entry* const algorithm : algorithms_for(collective)) {
                    if (!obstacle_of(*algorithm, topology, algorithm->ports, problem).empty())
                        continue;
                    CAPTURE(text, name(collective), blocks, algorithm->name);
                    Machine machine(topology, {.ports = algorithm->ports, .threads = 2, .watch_lent_bytes = true});
                    const Report report = run_verified(machine, *algorithm, problem);
                    const Cost cost = algorithm->cost(topology, problem);
                    CHECK(report.verified);
                    CHECK(report.counts.steps == cost.steps);
                    CHECK(report.counts.transmissions == cost.transmissions);
                    CHECK(cost.steps >= steps_bound(topology, algorithm->ports, problem).value);
                    CHECK(cost.transmissions >= transmissions_bound(topology, problem).value);
                    ++runs;
                }
            }
        }
    CHECK(runs > 200);
}

TEST_CASE(
    "scan: on rows an exchange takes a step for every node of a row but one, and one more for every further block",
    "[algorithms][scan]")
{
    const auto steps = [](const char* network, std::size_t blocks) {
        const Topology topology = Topology::parse(network);
        const Problem problem = scan_of(Collective::scan, blocks);
        return find_algorithm(topology, PortModel::all, problem, "exchange").cost(topology, problem).steps;
    };
    CHECK(steps("path:7", 1) == 6);
    CHECK(steps("path:7", 10) == 15);
    CHECK(steps("mesh:3x4", 1) == 5);
    CHECK(steps("torus:3x4", 5) == 9);
    CHECK(steps("hypercube:5", 1) == 5);
}

TEST_CASE("scan: segments overlap where the nodes do not divide the blocks", "[algorithms][scan]")
{
    for (const char* const network : {"complete:8", "torus:3x3", "ring:5", "hypercube:3 without 7"})
        for (const Collective collective : {Collective::scan, Collective::exscan})
            for (const std::size_t blocks : {2U, 5U, 9U, 11U, 17U}) {
                const Topology topology = Topology::parse(network);
                CAPTURE(network, name(collective), blocks);
                Problem problem = scan_of(collective, blocks);
                const Problem exchange{.collective = Collective::all_to_all,
                                       .bytes = problem.bytes,
                                       .packets = (blocks + topology.members() - 1) / topology.members()};
                Machine machine(topology, {.watch_lent_bytes = true});
                CallOptions by_segments;
                by_segments.algorithm = "segments";
                const Report apart = run_verified(machine, problem, {}, by_segments);
                CHECK(
                    apart.counts.steps ==
                    2 * find_algorithm(topology, PortModel::all, exchange).cost(topology.of_members(), exchange).steps);
                problem.in_place = true;
                CHECK(run_verified(machine, problem, {}, by_segments).result_digest == apart.result_digest);
            }
}

TEST_CASE("scan: segments are cut between elements where links take time, and take the predicted time",
          "[algorithms][scan][link-bound]")
{
    for (const char* const network : {"torus:3x3", "complete:8", "petersen", "hypercube:3 without 7"})
        for (const Collective collective : {Collective::scan, Collective::exscan})
            for (const std::size_t bytes : {16U, 104U, 400U})
                for (const LinkClock clock : {LinkClock::lockstep, LinkClock::data_driven}) {
                    const Topology topology = Topology::parse(network);
                    CAPTURE(network, name(collective), bytes, name(clock));
                    Problem problem = scan_of(collective, 1);
                    problem.bytes = bytes;
                    problem.link = {LinkKind::link_bound, {1, 1}, {10, 1}, clock};
                    Machine machine(topology, {.link = problem.link});
                    CallOptions by_segments;
                    by_segments.algorithm = "unit:segments";
                    const Report report = run_verified(machine, problem, {}, by_segments);
                    CHECK(report.verified);
                    CHECK(report.predicted_time_ns->to_double() >= report.virtual_time_ns->to_double());
                    if (clock == LinkClock::lockstep)
                        CHECK(report.predicted_time_ns == report.virtual_time_ns);
                    CHECK(report.time_lower_bound_ns->to_double() <= report.virtual_time_ns->to_double());
                }
}

TEST_CASE("scan: on a path any number of blocks is optimal in steps and transmissions, with one port too",
          "[algorithms][scan]")
{
    for (NodeId n = 3; n <= 9; ++n)
        for (const std::size_t blocks : {1U, 2U, 5U, 20U})
            for (const PortModel ports : {PortModel::all, PortModel::one}) {
                CAPTURE(n, blocks, name(ports));
                Machine machine(Topology::parse(fmt::format("path:{}", n)), {.ports = ports, .watch_lent_bytes = true});
                const Report report = run_verified(machine, scan_of(Collective::scan, blocks));
                CHECK(report.algorithm == (ports == PortModel::all ? "exchange" : "exchange-one"));
                CHECK(report.counts.steps == blocks + n - 2);
                CHECK(report.counts.transmissions == blocks * (n - 1));
                CHECK(report.steps_lower_bound == blocks + n - 2);
                CHECK(report.transmissions_lower_bound == blocks * (n - 1));
            }
}

TEST_CASE("scan: algorithms say why they cannot do it", "[algorithms][scan][negative]")
{
    const auto refusal = [](const char* network, std::size_t blocks, const char* algorithm) {
        const Topology topology = Topology::parse(network);
        const Problem problem = scan_of(Collective::scan, blocks);
        return obstacle_of(
            find_algorithm(Topology::parse("ring:5"), PortModel::all, scan_of(Collective::scan, 5), algorithm),
            topology, PortModel::all, problem);
    };
    CHECK(refusal("petersen", 4, "exchange") ==
          "it needs a link from each node of a factor to the next one, and petersen has none from node 4 to node 5");
    CHECK(refusal("torus:3x4", 3, "exchange-one") == "with one port it is for one row of nodes");
    CHECK(refusal("ring:4", 1, "segments") == "it is for several blocks");
}

TEST_CASE("scan: a network that is a hypercube with other numbers is not taken for one", "[algorithms][scan]")
{
    // A square whose nodes stand in a circle: 0-1-2-3-0.
    const Topology circle = Topology::parse("ring:4");
    Machine machine(circle);
    CHECK(run_verified(machine, scan_of(Collective::scan, 3)).verified);
    CHECK(run_verified(machine, scan_of(Collective::exscan, 8)).verified);
}

TEST_CASE("scan: a schedule of packets is refused, because it does not say whose sums it sends",
          "[algorithms][scan][negative]")
{
    const Topology path = Topology::parse("path:2");
    const Schedule schedule{.symmetry = Symmetry::none, .steps = 1, .hops = {{.step = 1, .from = 0, .port = 0}}};
    CHECK_THROWS_WITH(require_possible(schedule, path, {.collective = Collective::scan}),
                      "a schedule of packets does not say which nodes' shares a sum has, as scan needs: expected a "
                      "schedule in pieces");
}
