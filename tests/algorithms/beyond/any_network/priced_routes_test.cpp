// Priced routes: the steps of the any-network tables, schedules that the judge accepts, and broken ones that it does
// not.

#include "algorithms/beyond/any_network/priced_route_plan.hpp"
#include "algorithms/beyond/any_network/priced_routes.hpp"
#include "algorithms/beyond/any_network/route_scheduling.hpp"
#include "tests/support/any_networks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/exchange_check.hpp"
#include "tests/support/hanging_networks.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/schedule_trace.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace dcube;
using namespace dcube::detail;
using dcube::test::any_network;
using dcube::test::any_permutation;
using test_support::smaller;

namespace {

Problem all_to_all(std::size_t packets = 1)
{
    return {.collective = Collective::all_to_all, .bytes = 2, .packets = packets};
}

Problem permute(std::string_view network, std::size_t packets)
{
    return {.collective = Collective::permute, .bytes = 2, .packets = packets, .permutation = any_permutation(network)};
}

Problem exchange(const Topology& topology, std::size_t packets)
{
    return {
        .collective = Collective::exchange, .bytes = 2, .packets = packets, .root = 0, .peer = topology.nodes() - 1};
}

const Schedule& schedule(const Topology& topology, const Problem& problem, PortModel ports)
{
    return priced_route_plan(topology, problem, ports)->schedule;
}

std::vector<test_support::Move> moves(const Schedule& schedule)
{
    std::vector<test_support::Move> all;
    for (const Hop& hop : schedule.hops)
        all.push_back({hop.step, hop.from, hop.port, hop.packet});
    std::ranges::stable_sort(
        all, {}, [](const test_support::Move& move) { return std::tuple(move.step, move.from, move.port); });
    return all;
}

std::string judged_moves(const Topology& topology, const Problem& problem, PortModel ports,
                         const std::vector<test_support::Move>& moves)
{
    return test_support::judged(topology, ports, problem, test_support::trace_of(topology, problem, moves));
}

std::string judged_moves(const Topology& topology, const Problem& problem, PortModel ports)
{
    return judged_moves(topology, problem, ports, moves(schedule(topology, problem, ports)));
}

}  // namespace

// No more than the table has, sometimes less: all-to-all, on one port, permutations of 17 and 100 packets, and of 17
// on one port.
TEST_CASE("priced-routes: at most the steps of the table for any network", "[priced-routes][long]")
{
    struct Row {
        std::string_view network;
        Step all_to_all, all_to_all_one, permute_17, permute_100, permute_17_one;
    };
    const std::vector<Row> table{
        {"torus4x6", 18, 60, 16, 79, 46},  {"mesh4x6", 36, 82, 27, 151, 67},  {"hub9", 10, 81, 18, 101, 153},
        {"petring4", 21, 100, 13, 65, 46}, {"random20", 19, 89, 21, 104, 85}, {"bintree31", 240, 576, 171, 1001, 409},
    };
    for (const Row& row : table) {
        CAPTURE(row.network);
        const Topology topology = any_network(row.network);
        CHECK(schedule(topology, all_to_all(), PortModel::all).steps <= row.all_to_all);
        CHECK(schedule(topology, all_to_all(), PortModel::one).steps <= row.all_to_all_one);
        CHECK(schedule(topology, permute(row.network, 17), PortModel::all).steps <= row.permute_17);
        CHECK(schedule(topology, permute(row.network, 100), PortModel::all).steps <= row.permute_100);
        CHECK(schedule(topology, permute(row.network, 17), PortModel::one).steps <= row.permute_17_one);
    }
}

TEST_CASE("priced-routes: permutations of few packets are searched in time", "[priced-routes]")
{
    struct Row {
        std::string_view network;
        PortModel ports;
        std::size_t packets;
        Step steps;
    };
    const Row rows[] = {
        {"torus4x6", PortModel::one, 1, 5},    // the bound; 6 by routes alone
        {"torus4x6", PortModel::all, 17, 15},  // 16
        {"petring4", PortModel::one, 1, 4},    // the bound; 6
        {"petring4", PortModel::all, 17, 12},  // 13
        {"random20", PortModel::one, 1, 5},    // the bound; 6
        {"random64", PortModel::one, 1, 4},    // the bound; 6
        {"mesh4x6", PortModel::all, 17, 26},   // the bound; 27
    };
    test_support::Sample sample;
    for (const auto& [network, ports, packets, steps] : rows) {
        if (!sample.takes_next())
            continue;
        CAPTURE(network, name(ports), packets);
        const Topology topology = any_network(network);
        const Problem problem = permute(network, packets);
        CHECK(schedule(topology, problem, ports).steps <= steps);
        CHECK(judged_moves(topology, problem, ports) == "");
    }
}

TEST_CASE("priced-routes: permutations between the two sides of a complete bipartite graph, and over two hubs",
          "[priced-routes]")
{
    std::vector<std::pair<NodeId, NodeId>> edges;
    for (NodeId a = 0; a < 7; ++a)
        for (NodeId b = 7; b < 19; ++b)
            edges.emplace_back(a, b);
    const Topology sides = Topology::product({Graph::from_edges("sides", edges)}, "sides");
    const Topology hubs = dcube::test::hanging_network("hubs-33");
    const auto steps = [](const Topology& topology, PortModel ports, std::size_t packets, std::uint64_t seed) {
        Random random(seed);
        Problem problem{.collective = Collective::permute, .bytes = 2, .packets = packets};
        for (NodeId node = 0; node < topology.nodes(); ++node)
            problem.permutation.push_back(node);
        for (std::size_t i = problem.permutation.size(); i > 1; --i)
            std::swap(problem.permutation[i - 1], problem.permutation[random.below(i)]);
        CHECK(judged_moves(topology, problem, ports) == "");
        return schedule(topology, problem, ports).steps;
    };
    for (std::uint64_t seed = 0; seed < smaller(3U, 1U); ++seed) {
        CAPTURE(seed);
        CHECK(steps(sides, PortModel::one, 1, seed) <= 3);
        CHECK(steps(sides, PortModel::all, 5, seed) <= 3);
        CHECK(steps(hubs, PortModel::all, 1, seed) <= 4);
    }
}

TEST_CASE("priced-routes: meshes on one port take at most the expected steps", "[priced-routes]")
{
    const std::vector<std::pair<const char*, Step>> figures{{"mesh:3x3", 18},      {"mesh:4x4", 43},   {"mesh:3x5", 41},
                                                            {"mesh:2x6", 36},      {"mesh:4x6", 82},   {"mesh:5x5", 86},
                                                            {"path:4*ring:3", 25}, {"mesh:3x4x5", 225}};
    for (std::size_t i = 0; i < smaller(figures.size(), std::size_t{4}); ++i) {
        CAPTURE(figures[i].first);
        CHECK(schedule(Topology::parse(figures[i].first), all_to_all(), PortModel::one).steps <= figures[i].second);
    }
}

TEST_CASE("priced-routes: a hub of 39 leaves relays on one port without a pause", "[priced-routes]")
{
    std::string edges;
    for (int leaf = 1; leaf < 40; ++leaf)
        edges += "0 " + std::to_string(leaf) + "\n";
    const Topology hub = Topology::product({Graph::from_text("hub39", edges)});
    CHECK(schedule(hub, all_to_all(), PortModel::one).steps == 39 * 39);
}

TEST_CASE("priced-routes: all-to-all keeps all rules, checked hop by hop", "[priced-routes]")
{
    for (const char* const name : {"torus4x6", "hub9", "random20", "bintree31"}) {
        CAPTURE(name);
        const Topology topology = any_network(name);
        for (const PortModel ports : {PortModel::all, PortModel::one})
            CHECK(dcube::test::exchange_fault(topology, ports, schedule(topology, all_to_all(), ports),
                                              dcube::test::Routes::any) == "");
    }
}

TEST_CASE("priced-routes: the judge accepts every collective on every kind of network", "[priced-routes][slow]")
{
    test_support::Sample sample;
    for (const char* const name : {"mesh4x6", "hub9", "random20", "bintree31"}) {
        CAPTURE(name);
        const Topology topology = any_network(name);
        for (const PortModel ports : {PortModel::all, PortModel::one}) {
            if (sample.takes_next())
                CHECK(judged_moves(topology, all_to_all(2), ports) == "");
            CHECK(judged_moves(topology, permute(name, 5), ports) == "");
            CHECK(judged_moves(topology, exchange(topology, 7), ports) == "");
        }
    }
    for (unsigned seed = 1; seed < smaller(6U, 3U); ++seed) {
        const Topology topology = dcube::test::random_product(seed);
        CAPTURE(topology.name());
        for (const PortModel ports : {PortModel::all, PortModel::one})
            CHECK(judged_moves(topology, all_to_all(), ports) == "");
    }
}

TEST_CASE("priced-routes: the judge finds a schedule with one thing wrong", "[priced-routes]")
{
    const Topology topology = any_network("mesh4x6");  // every node has two links or more
    for (const PortModel ports : {PortModel::all, PortModel::one})
        for (const Problem& problem : {all_to_all(), permute("mesh4x6", 3), exchange(topology, 4)}) {
            CAPTURE(name(ports), name(problem.collective));
            const std::vector<test_support::Move> right = moves(schedule(topology, problem, ports));
            const auto with = [&](auto change) {
                std::vector<test_support::Move> wrong = right;
                change(wrong);
                std::ranges::stable_sort(wrong, {}, &test_support::Move::step);
                return judged_moves(topology, problem, ports, wrong);
            };
            REQUIRE(with([](auto&) {}) == "");
            CHECK(with([](auto& all) { all.erase(all.begin() + all.size() / 2); }) != "");
            CHECK(with([](auto& all) { all.push_back(all[all.size() / 2]); }) != "");
            CHECK(with([](auto& all) {  // a packet that was passed on leaves as it comes
                      const auto passed =
                          std::ranges::find_if(all, [](const auto& move) { return move.from != move.packet.origin; });
                      const auto before =
                          std::ranges::find_if(all, [&](const auto& move) { return move.packet == passed->packet; });
                      passed->step = before->step;
                  }) != "");
            CHECK(with([&](auto& all) {
                      test_support::Move& last = all.back();
                      last.port = (last.port + 1) % topology.ports(last.from);
                  }) != "");
        }
}

TEST_CASE("priced-routes: planning twice gives the same plan", "[priced-routes]")
{
    const Topology topology = any_network("random20");
    const Arcs arcs(topology);
    std::vector<Message> messages;
    for (NodeId node = 0; node < arcs.nodes(); ++node)
        messages.push_back({node, (node + 7) % arcs.nodes(), 9});
    for (const PortModel ports : {PortModel::all, PortModel::one}) {
        const auto plan = [&] {
            return schedule_routes(arcs, ports, priced_routes(arcs, ports, messages, 0).routes, 0);
        };
        const MovePlan first = plan();
        const MovePlan second = plan();
        CHECK(first.steps == second.steps);
        CHECK(std::ranges::equal(first.moves, second.moves, [](const TimedMove& a, const TimedMove& b) {
            return a.step == b.step && a.arc == b.arc && a.packet == b.packet;
        }));
    }
}

TEST_CASE("priced-routes: an exchange through a node that separates its ends", "[priced-routes]")
{
    const Topology hub = any_network("hub9");
    Problem problem = exchange(hub, 17);
    problem.root = 1;
    // The hub receives and sends 2 * 17 packets; the first has come in step 1, and the last leaves a step later.
    CHECK(find_algorithm(hub, PortModel::one, problem, "priced-routes-one").cost(hub, problem) == Cost{35, 68});
    const Topology tree = any_network("bintree31");
    CHECK(schedule(tree, exchange(tree, 17), PortModel::one).steps == 37);
}

TEST_CASE("priced-routes: networks that they are not for, or that are too large, are refused", "[priced-routes]")
{
    const Topology torus = Topology::parse("torus:4x6");
    CHECK_THROWS_WITH(find_algorithm(torus, PortModel::one, exchange(torus, 3), "priced-routes-one"),
                      Catch::Contains("it is for two ends that a node separates"));
    const Topology mesh = Topology::parse("mesh:40x40");
    CHECK_THROWS_WITH(find_algorithm(mesh, PortModel::all, all_to_all(), "priced-routes"),
                      Catch::Contains("at most 4194304 are allowed"));
}
