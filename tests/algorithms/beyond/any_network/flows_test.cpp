// Send, exchange, scatter and gather on any network: at their lower bounds, and accepted by the judge.

#include "algorithms/beyond/any_network/path_convoys.hpp"
#include "tests/support/any_networks.hpp"
#include "tests/support/broken_moves.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/sizes.hpp"

#include "collectives/graphs/quickest_flow.hpp"

#include <dcube/dcube.hpp>

#include <algorithm>
#include <set>

using namespace dcube;
using namespace test_support;

namespace {

struct Flow {
    Collective collective;
    const char* name;
    PortModel ports;
};

const std::vector<Flow> entries{{Collective::send, "quickest-flow", PortModel::all},
                                {Collective::exchange, "quickest-flow", PortModel::all},
                                {Collective::send, "single-path-one", PortModel::one},
                                {Collective::exchange, "two-paths-one", PortModel::one},
                                {Collective::scatter, "unrolled-flow", PortModel::all},
                                {Collective::gather, "unrolled-flow", PortModel::all},
                                {Collective::scatter, "farthest-first-one", PortModel::one},
                                {Collective::gather, "farthest-first-one", PortModel::one}};

Problem problem_of(Collective collective, const Topology& topology, std::size_t packets)
{
    return {.collective = collective, .bytes = 3, .packets = packets, .peer = topology.nodes() - 1};
}

// Runs it, verified and with a trace that the judge accepts, and checks the cost against the predicted one.
Cost judged_cost(const Flow& entry, const Topology& topology, const Problem& problem)
{
    const PhasedRun run = phased_run(topology, problem, entry.name);
    const Entry& algorithm = find_algorithm(topology, entry.ports, problem, entry.name);
    const Cost cost{run.report.counts.steps, run.report.counts.transmissions};
    CHECK(run.report.verified);
    CHECK(algorithm.cost(topology, problem) == cost);
    CHECK(run.report.counts.storage_bytes <= algorithm.storage(topology, problem));
    CHECK(judged(topology, entry.ports, problem, trace_of(topology, problem, moves_of(run, problem))) == "");
    return cost;
}

struct Expected {
    std::string_view network;
    std::uint64_t scatter;
    std::uint64_t send;
    std::uint64_t exchange_one;
};

// The specification's tables: 17 packets, root 0, between nodes 0 and n - 1. Scatter, send: the least there can be.
const std::vector<Expected> expected{{"ghc2x5x7", 107, 5, 19},   {"torus4x6", 98, 7, 18},  {"torus8x8", 268, 8, 18},
                                     {"mesh4x6", 196, 16, 24},   {"hub9", 17, 17, 17},     {"petring4", 133, 7, 19},
                                     {"random20", 37, 10, 17},   {"random64", 119, 8, 19}, {"random128", 167, 5, 19},
                                     {"cube6-3l", 179, 8, 22},   {"cube6-1n", 176, 8, 22}, {"torus8x8-3l", 268, 8, 18},
                                     {"bintree31", 255, 20, 37}, {"cube6", 179, 8, 22}};

}  // namespace

TEST_CASE("flows: the steps of the any-network tables, and the same for what runs backwards", "[any-network]")
{
    CHECK(expected.size() == dcube::test::any_networks.size());
    test_support::Sample sample;
    for (const Expected& row : expected) {
        if (!sample.takes_next())
            continue;
        const Topology topology = dcube::test::any_network(row.network);
        CAPTURE(row.network);
        const auto cost = [&](Collective collective, PortModel ports) {
            const auto entry = std::ranges::find_if(
                entries, [&](const Flow& one) { return one.collective == collective && one.ports == ports; });
            return judged_cost(*entry, topology, problem_of(collective, topology, 17));
        };
        CHECK(cost(Collective::scatter, PortModel::all).steps == row.scatter);
        CHECK(cost(Collective::gather, PortModel::all) == cost(Collective::scatter, PortModel::all));
        CHECK(cost(Collective::send, PortModel::all).steps == row.send);
        CHECK(cost(Collective::exchange, PortModel::all).steps == row.send);
        CHECK(cost(Collective::exchange, PortModel::one).steps == row.exchange_one);
        const Problem send = problem_of(Collective::send, topology, 17);
        const std::uint64_t distance = topology.distance(send.root, send.peer);
        CHECK(cost(Collective::send, PortModel::one) == Cost{17 + distance - 1, 17 * distance});
    }
}

TEST_CASE("flows: scatter and gather on one port take as many steps as the farthest nodes need", "[any-network]")
{
    for (const std::string_view name : dcube::test::any_networks) {
        const Topology topology = dcube::test::any_network(name);
        for (const std::size_t packets : {1U, 4U}) {
            std::uint64_t bound = 0;  // the last packet for those at distance k or more, and its k hops
            for (std::uint64_t k = 1; k <= topology.diameter(); ++k) {
                std::uint64_t far = 0;
                for (NodeId node = 0; node < topology.nodes(); ++node)
                    far += topology.distance(0, node) >= k ? 1 : 0;
                if (far > 0)
                    bound = std::max(bound, packets * far + k - 1);
            }
            CAPTURE(name, packets);
            const Cost least{bound, packets * topology.status(0)};
            CHECK(judged_cost(entries[6], topology, problem_of(Collective::scatter, topology, packets)) == least);
            CHECK(judged_cost(entries[7], topology, problem_of(Collective::gather, topology, packets)) == least);
        }
    }
    const Topology path = Topology::parse("path:6");  // its far end is what takes long
    CHECK(judged_cost(entries[6], path, problem_of(Collective::scatter, path, 1)).steps == 5);
}

TEST_CASE("flows: on hypercubes sends and exchanges meet their bounds", "[any-network]")
{
    const Topology cube = Topology::hypercube(6);
    const Problem antipode = problem_of(Collective::send, cube, 17);
    CHECK(judged_cost(entries[0], cube, antipode) == Cost{8, 17 * 6});
    const Problem back = problem_of(Collective::exchange, cube, 17);
    CHECK(judged_cost(entries[1], cube, back) == Cost{8, 2 * 17 * 6});
    CHECK(judged_cost(entries[3], cube, back) == Cost{22, 2 * 17 * 6});
    Problem neighbour = problem_of(Collective::send, cube, 17);
    neighbour.peer = 1;
    CHECK(judged_cost(entries[0], cube, neighbour) ==
          Cost{5, 5 + 12 * 3});  // 5 straight, 3 on three hops by each other port
}

TEST_CASE("flows: paths on hypercubes are as short as those that a search finds", "[any-network]")
{
    for (unsigned d = 1; d <= smaller(7U, 5U); ++d) {
        const Topology cube = Topology::hypercube(d);
        const detail::Arcs arcs(cube);
        for (NodeId to = 1; to < cube.nodes(); ++to) {
            const NodeId from = 5 % cube.nodes();
            if (from == to)
                continue;
            CAPTURE(d, to);
            std::vector<std::uint32_t> lengths;
            std::set<NodeId> inner;
            for (const detail::Path& path : detail::cube_paths(from, to, d)) {
                lengths.push_back(static_cast<std::uint32_t>(path.size()));
                NodeId node = from;
                for (const detail::Leg& leg : path) {
                    CHECK(leg.from == node);
                    CHECK((node == from || inner.insert(node).second));
                    node = cube.neighbour(node, leg.port);
                }
                CHECK(node == to);
            }
            CHECK(lengths == detail::augmenting_lengths(arcs, from, to));
        }
    }
}

TEST_CASE("flows: an exchange on one port takes turns where that is quicker, or nothing else is left", "[any-network]")
{
    const auto steps = [](const char* network, NodeId from, NodeId to, std::size_t packets) {
        const Topology topology = Topology::parse(network);
        Problem problem = problem_of(Collective::exchange, topology, packets);
        problem.root = from;
        problem.peer = to;
        return judged_cost(entries[3], topology, problem).steps;
    };
    CHECK(steps("path:9", 2, 3, 4) == 4);   // neighbours
    CHECK(steps("path:9", 2, 5, 4) == 9);   // 2m - 2 + h, h odd
    CHECK(steps("path:9", 2, 6, 4) == 11);  // 2m - 1 + h, h even
    CHECK(steps("path:9", 2, 6, 1) == 5);
    CHECK(steps("ring:9", 0, 3, 1) == 3);    // in turns, not the long way round
    CHECK(steps("ring:9", 0, 3, 9) == 14);   // both ways round: m + 6 - 1
    CHECK(steps("petersen", 0, 2, 5) == 7);  // the longer path of a cycle of five: 3 hops
}

TEST_CASE("flows: the judge accepts all flow algorithms on random irregular networks", "[any-network][slow]")
{
    for (unsigned seed = 1; seed <= smaller(30U, 8U); ++seed) {
        const Topology topology = dcube::test::random_product(seed);
        for (const Flow& entry : entries)
            for (const std::size_t packets : {1U, 3U}) {
                Problem problem = problem_of(entry.collective, topology, packets);
                problem.root = seed % topology.nodes();
                problem.peer = (problem.root + 1 + seed / 2 % (topology.nodes() - 1)) % topology.nodes();
                CAPTURE(seed, name(entry.collective), entry.name, packets);
                if (topology.is_hypercube() && entry.collective != Collective::send &&
                    entry.collective != Collective::exchange)
                    continue;
                const Cost cost = judged_cost(entry, topology, problem);
                CHECK(cost.steps >= steps_bound(topology, entry.ports, problem).value);
            }
    }
}

TEST_CASE("flows: a schedule with one thing wrong is caught", "[any-network][negative]")
{
    std::set<std::string> faults;
    for (const char* const name : {"mesh:2x3", "petersen"}) {
        const Topology topology = Topology::parse(name);
        for (const Flow& entry : entries) {
            const Problem problem = problem_of(entry.collective, topology, 2);
            const std::vector<Move> moves = moves_of(phased_run(topology, problem, entry.name), problem);
            for (std::size_t i = 0; i < moves.size(); ++i)
                for (const BrokenMoves& broken : broken_at(topology, moves, i)) {
                    CAPTURE(name, dcube::name(entry.collective), entry.name, i, broken.what);
                    CHECK(judged(topology, entry.ports, problem, trace_of(topology, problem, broken.moves)) != "");
                    faults.insert(broken.what);
                }
        }
    }
    CHECK(faults == std::set<std::string>{"doubled", "dropped", "early", "misdirected"});
}

TEST_CASE("flows: too many hops to plan are refused", "[any-network]")
{
    const Topology ring = Topology::parse("ring:100");
    Problem send = problem_of(Collective::send, ring, 10'000'000);
    send.peer = 50;
    CHECK_THROWS_WITH(find_algorithm(ring, PortModel::all, send, "quickest-flow"),
                      Catch::Contains("it would have to plan at least 500000000 hops: at most 16777216 are allowed"));
    const Topology mesh = Topology::parse("mesh:100x100");
    CHECK_THROWS_WITH(find_algorithm(mesh, PortModel::all, problem_of(Collective::scatter, mesh, 17), "unrolled-flow"),
                      Catch::Contains("it would have to plan at least 16830000 hops: at most 16777216 are allowed"));
    CHECK_THROWS_WITH(
        find_algorithm(mesh, PortModel::one, problem_of(Collective::gather, mesh, 17), "farthest-first-one"),
        Catch::Contains("it would have to plan at least 16830000 hops: at most 16777216 are allowed"));
    const Topology large = Topology::parse("kary:4^9");
    CHECK_THROWS_WITH(find_algorithm(large, PortModel::all, problem_of(Collective::scatter, large, 1), "unrolled-flow"),
                      Catch::Contains("operations: at most 5e+10 are allowed"));
}
