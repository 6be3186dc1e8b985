// All-reduce on any network, by trees and by spreads: the steps that are expected, and plans that the judge accepts.

#include "algorithms/beyond/any_network/block_plan.hpp"
#include "algorithms/beyond/any_network/tree_all_reduce.hpp"
#include "tests/support/any_networks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/hanging_networks.hpp"
#include "tests/support/schedule_trace.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

using namespace dcube;
using namespace dcube::detail;
using namespace test_support;

namespace {

constexpr std::size_t bytes = 2;

Problem blocks_of(std::size_t blocks)
{
    return {Collective::all_reduce, bytes, blocks};
}

std::string line_of(const Arcs& arcs, const TimedMove& move)
{
    return fmt::format(R"({{"step":{},"from":{},"to":{},"port":{},"bytes":{},"pieces":[{{"origin":null,)"
                       R"("target":null,"offset":{},"length":{}}}]}})"
                       "\n",
                       move.step, arcs.from(move.arc), arcs.to(move.arc), arcs.port(move.arc), bytes,
                       move.packet * bytes, bytes);
}

std::string verdict(const Topology& topology, PortModel ports, std::size_t blocks, std::vector<TimedMove> moves)
{
    const Arcs arcs(topology);
    std::ranges::sort(moves, {}, [](const TimedMove& move) { return std::tuple(move.step, move.arc); });
    std::string trace;
    for (const TimedMove& move : moves)
        trace += line_of(arcs, move);
    return judged(topology, ports, blocks_of(blocks), trace);
}

std::vector<BlockPlan> all_plans(const Topology& topology, PortModel ports, std::uint32_t blocks)
{
    const Arcs arcs(topology);
    const std::uint64_t bound = steps_bound(topology, ports, blocks_of(blocks)).value;
    return {trees_up_and_down(arcs, ports, blocks, bound), periodic_plan(arcs, ports, blocks, bound),
            spread_twice(arcs, ports, blocks, bound)};
}

std::vector<BlockPlan> plans_of_trees(const Topology& topology, PortModel ports, std::uint32_t blocks)
{
    const Arcs arcs(topology);
    return {trees_up_and_down(arcs, ports, blocks, 0), periodic_plan(arcs, ports, blocks, 0)};
}

using MakePlans = std::vector<BlockPlan>(const Topology&, PortModel, std::uint32_t);

// Plans that keep all rules; the least steps.
Step best_with_trees(const Topology& topology, PortModel ports, std::uint32_t blocks, MakePlans& plans = all_plans)
{
    Step best = ~Step{0};
    for (const BlockPlan& plan : plans(topology, ports, blocks)) {
        CHECK(verdict(topology, ports, blocks, plan.moves) == "");
        CHECK(plan.moves.size() == 2 * blocks * (topology.nodes() - std::size_t{1}));
        best = std::min(best, plan.steps);
    }
    return best;
}

std::uint64_t steps(const char* network, PortModel ports, std::size_t blocks, const char* algorithm)
{
    const Topology topology = Topology::parse(network);
    return find_algorithm(topology, ports, blocks_of(blocks), algorithm).cost(topology, blocks_of(blocks)).steps;
}

}  // namespace

TEST_CASE("all-reduce on trees: the best plan of every network of the tables takes the table's steps",
          "[all-reduce][long]")
{
    struct Row {
        const char* network;
        Step all_5;
        Step all_17;
        Step one_17;
    };
    const Row rows[] = {
        {"ghc2x5x7", 5, 6, 37},    {"torus4x6", 9, 10, 34},  {"torus8x8", 15, 15, 37}, {"mesh4x6", 11, 18, 36},
        {"hub9", 6, 18, 162},      {"petring4", 8, 10, 35},  {"random20", 10, 22, 60}, {"random64", 8, 17, 37},
        {"random128", 8, 14, 39},  {"cube6-3l", 11, 11, 35}, {"cube6-1n", 11, 11, 37}, {"torus8x8-3l", 15, 15, 37},
        {"bintree31", 12, 24, 63}, {"cube6", 11, 11, 35},
    };
    Sample sample(7, 2);
    for (const auto& [network, all_5, all_17, one_17] : rows) {
        if (!sample.takes_next())
            continue;
        const Topology topology = dcube::test::any_network(network);
        CAPTURE(network);
        CHECK(best_with_trees(topology, PortModel::all, 5) <= all_5);
        CHECK(best_with_trees(topology, PortModel::all, 17) <= all_17);
        CHECK(best_with_trees(topology, PortModel::one, 17) <= one_17);
    }
}

TEST_CASE("all-reduce on trees: 100 blocks take at most the expected steps", "[all-reduce][long]")
{
    struct Row {
        const char* network;
        PortModel ports;
        Step steps;
    };
    const Row rows[] = {
        {"ghc2x5x7", PortModel::all, 18},  {"torus8x8", PortModel::all, 50},  {"hub9", PortModel::all, 101},
        {"random20", PortModel::all, 105}, {"petring4", PortModel::all, 39},  {"bintree31", PortModel::all, 107},
        {"torus4x6", PortModel::one, 192}, {"petring4", PortModel::one, 195}, {"bintree31", PortModel::one, 312},
        {"random20", PortModel::one, 311},
    };
    Sample sample(7, 2);
    for (const auto& [network, ports, steps] : rows) {
        CAPTURE(network, ports);
        if (sample.takes_next())
            CHECK(best_with_trees(dcube::test::any_network(network), ports, 100) <= steps);
    }
}

TEST_CASE("all-reduce on trees: sparse networks take at most the expected steps on one port", "[all-reduce][long]")
{
    struct Row {
        const char* network;
        Step one;
        Step six;
        Step many;  // 37
    };
    const Row rows[] = {
        {"spider-40", 23, 69, 348},
        {"caterpillar-36", 16, 61, 309},
        {"tree-19", 12, 29, 153},
        {"tree-29", 11, 37, 192},
        {"tree-100", 23, 67, 315},
        {"deep-61", 33, 47, 173},
        {"hubs-22", 21, 77, 418},
        {"hubs-33", 24, 90, 470},
        {"hubs-58", 27, 100, 524},
        {"hubs-96", 35, 142, 715},
        {"bridge-8+11", 9, 20, 94},
        {"bridge-20+20", 11, 24, 116},
        {"lollipop-26", 17, 28, 107},
        {"clusters-4x6", 11, 23, 94},
        {"clusters-9x7", 15, 36, 140},
        {"clusters-12x9", 24, 39, 109},
        {"ring-of-clusters-5x5", 13, 19, 79},
    };
    Sample sample(7, 2);
    for (const auto& [network, one, six, many] : rows) {
        CAPTURE(network);
        const Topology topology = dcube::test::hanging_network(network);
        if (!sample.takes_next())
            continue;
        CHECK(best_with_trees(topology, PortModel::one, 1) <= one);
        CHECK(best_with_trees(topology, PortModel::one, 6) <= six);
        CHECK(best_with_trees(topology, PortModel::one, 37, plans_of_trees) <= many);
    }
}

TEST_CASE("all-reduce on trees: blocks whose centres are near the middle, but not side by side, take fewer steps",
          "[all-reduce]")
{
    const std::vector<std::pair<NodeId, NodeId>> edges{{0, 1}, {0, 3}, {1, 2}, {1, 7}, {2, 4}, {2, 6},
                                                       {3, 4}, {4, 5}, {4, 7}, {4, 8}, {6, 8}};
    const Topology topology = Topology::product({Graph::from_edges("drawn", edges), Graph::path(4)}, "drawn*path:4");
    CHECK(best_with_trees(topology, PortModel::all, 6) <= 9);  // 10 with the nearest ones, and with any
}

TEST_CASE("all-reduce on a network that is a tree takes m - 1 + diameter steps, the earlier blocks first",
          "[all-reduce]")
{
    CHECK(steps("path:6", PortModel::all, 10, "trees-up-and-down") == 14);  // two centres
    CHECK(steps("path:7", PortModel::all, 10, "trees-up-and-down") == 15);
    const Topology hub = dcube::test::any_network("hub9");
    const Topology tree = dcube::test::any_network("bintree31");
    for (const std::uint32_t blocks : {1U, 2U, 100U}) {
        CHECK(trees_up_and_down(Arcs(hub), PortModel::all, blocks, 0).steps == blocks + 1);
        CHECK(trees_up_and_down(Arcs(tree), PortModel::all, blocks, 0).steps == blocks + 7);
    }
}

TEST_CASE("all-reduce on trees: every entry of the catalogue takes its promised cost on a machine", "[all-reduce]")
{
    std::size_t runs = 0;
    for (const char* const network : {"mesh:3x3", "ring:5*path:2", "petersen"})
        for (const Entry& algorithm : catalogue()) {
            const bool ours = algorithm.name.starts_with("trees-") || algorithm.name.starts_with("periodic-") ||
                              algorithm.name.starts_with("spread-twice");
            if (algorithm.collective != Collective::all_reduce || !ours)
                continue;
            const Topology topology = Topology::parse(network);
            for (const std::size_t blocks : {1U, 3U, 20U}) {
                CAPTURE(network, algorithm.name, blocks);
                Machine machine(topology, {.ports = algorithm.ports, .threads = 2, .watch_lent_bytes = true});
                CallOptions call;
                call.algorithm = algorithm.name;
                VerifiedRunOptions trial;
                const Report report = run_verified(machine, blocks_of(blocks), trial, call);
                CHECK(report.verified);
                CHECK(algorithm.cost(topology, blocks_of(blocks)) ==
                      Cost{report.counts.steps, report.counts.transmissions});
                CHECK(report.transmissions_optimal());
                ++runs;
            }
        }
    CHECK(runs >= 3 * 3 * 3);
}

TEST_CASE("all-reduce on trees: planning twice gives the same plan", "[all-reduce]")
{
    const Topology topology = dcube::test::any_network("random20");
    for (const PortModel ports : {PortModel::all, PortModel::one}) {
        const std::vector<BlockPlan> once = all_plans(topology, ports, 9);
        const std::vector<BlockPlan> again = all_plans(topology, ports, 9);
        for (std::size_t i = 0; i < once.size(); ++i)
            CHECK(once[i].moves == again[i].moves);
    }
}

TEST_CASE("all-reduce on trees: the blocks of a periodic plan follow each other without meeting", "[all-reduce]")
{
    for (const PortModel ports : {PortModel::all, PortModel::one}) {
        const Topology topology = dcube::test::any_network("random20");
        const TreeRhythm rhythm = periodic_trees(Arcs(topology), ports, 5, 40);
        for (const std::uint32_t blocks : {1U, 2U, 3U, 39U, 40U, 61U}) {
            CAPTURE(ports, blocks);
            const BlockPlan plan = plan_of_rhythm(rhythm, blocks);
            CHECK(verdict(topology, ports, blocks, plan.moves) == "");
            CHECK(plan.moves.back().step == plan.steps);
        }
    }
}

TEST_CASE("all-reduce on trees: a move that is left out, early, doubled or on another link is detected",
          "[all-reduce][negative]")
{
    const Topology topology = dcube::test::any_network("petring4");
    const Arcs arcs(topology);
    for (const PortModel ports : {PortModel::all, PortModel::one})
        for (const BlockPlan& plan : all_plans(topology, ports, 3))
            for (std::size_t i = 0; i < plan.moves.size(); i += plan.moves.size() / 12) {
                CAPTURE(ports, i, plan.steps);
                std::vector<TimedMove> wrong = plan.moves;
                wrong.erase(wrong.begin() + static_cast<std::ptrdiff_t>(i));
                CHECK(verdict(topology, ports, 3, wrong) != "");
                wrong = plan.moves;
                wrong.push_back(wrong[i]);
                CHECK(verdict(topology, ports, 3, wrong) != "");
                wrong = plan.moves;
                wrong[i].arc = arcs.opposite(wrong[i].arc);
                CHECK(verdict(topology, ports, 3, wrong) != "");
                wrong = plan.moves;
                wrong[i].step = 1;
                if (plan.moves[i].step > plan.steps / 2 + 1)  // the whole, which no node has in the first step
                    CHECK(verdict(topology, ports, 3, wrong) != "");
            }
}

TEST_CASE("all-reduce on trees: plans that would take too long to make are refused", "[all-reduce]")
{
    const Topology torus = Topology::parse("torus:100x100");
    CHECK_THROWS_WITH(find_algorithm(torus, PortModel::all, blocks_of(1000), "trees-up-and-down"),
                      Catch::Contains("it would have to plan 19998000 moves of blocks: at most 8388608 are allowed"));
    CHECK_NOTHROW(find_algorithm(torus, PortModel::all, blocks_of(2), "by-dimensions"));
}
