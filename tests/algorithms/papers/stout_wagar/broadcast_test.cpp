// Broadcast and reduce on link-bound machines: the times of Stout & Wagar 1990, section 2, and what goes over each
// link. Sizes that divide have the boxed times; the others were worked out by a byte-by-byte simulation of the link
// model that shares nothing with dcube.

#include "tests/support/catch.hpp"
#include "tests/support/link_bound_table.hpp"
#include "tests/support/sizes.hpp"

#include "algorithms/papers/stout_wagar/broadcast.hpp"

#include <dcube/dcube.hpp>

#include <cmath>
#include <string>

using namespace dcube;
using namespace test_support;

namespace {

// The closed form, rounded to ns, for tau = 1 and beta = 100.
long predicted(const std::string& algorithm, unsigned d, std::size_t bytes, std::size_t groups = 0)
{
    Problem problem{.collective = Collective::broadcast, .bytes = bytes};
    problem.link = link_bound(1, 100);
    problem.tuning.groups = groups;
    const Topology cube = Topology::hypercube(d);
    return std::lround(
        find_algorithm(cube, PortModel::all, problem, algorithm).time(cube, problem).value().to_double());
}

// The packets that a node sends on its links in a stage of a rule: "0/2/2".
std::string sent(const detail::WaveRule& rule, unsigned d, NodeId node, Step stage)
{
    std::string links;
    for (Port port = 0; port < d; ++port) {
        const detail::Sent packet = rule(d, node, port, stage);
        links += (port == 0 ? "" : "/") + (packet ? std::to_string(*packet) : "-");
    }
    return links;
}

Problem grouped(Collective collective, std::size_t bytes, std::size_t groups)
{
    Problem problem{.collective = collective, .bytes = bytes};
    problem.link = link_bound(1, 10);
    problem.tuning.groups = groups;
    return problem;
}

}  // namespace

TEST_CASE("broadcast takes the times of the paper's section 2 where sizes divide", "[link-bound]")
{
    CHECK(times(Collective::broadcast, "B1") == "102 516 808 2704 4850 14900");  // d (tau m + beta)
    CHECK(times(Collective::broadcast, "B2") == "54 372 232 976 1010 3380");     // d (tau m/d + beta)
    CHECK(times(Collective::broadcast, "B3A") == "72 496 290 1220 1212 4056");   // (d+1)(tau m/d + beta)
    CHECK(times(Collective::broadcast, "B3B") == "54 372 232 976 1010 3380");    // as BROADCAST 2
    CHECK(times(Collective::broadcast, "B4") == "56 448 170 860 464 1952");      // (d+g-1)(tau m/(dg) + beta)
    CHECK(times(Collective::broadcast, "B4 pruned") == "56 448 170 860 464 1952");
    CHECK(times(Collective::reduce, "RD") == "56 448 170 860 464 1952");        // the same backwards
    CHECK(times(Collective::broadcast, "EDST") == "70 560 204 1032 522 2196");  // (d+g)(tau m/(dg) + beta)
}

TEST_CASE("broadcast of sizes that do not divide takes what whole bytes allow", "[link-bound]")
{
    const auto groups = [](std::size_t g) { return [g](Problem& problem, unsigned) { problem.tuning.groups = g; }; };
    CHECK(odd_times(Collective::broadcast, "B2") == "42 48 75 33");  // d (ceil(m/d) + 10)
    CHECK(odd_times(Collective::broadcast, "B4", groups(2)) == "48 55 78 -");
    CHECK(odd_times(Collective::broadcast, "B4", groups(3)) == "59 66 84 -");
}

TEST_CASE("broadcast: the waves on three dimensions go as the paper's figure 2 shows", "[link-bound]")
{
    const detail::WaveRule one_group = detail::pipelined(1);
    CHECK(sent(one_group, 3, 0b000, 0) == "0/1/2");
    CHECK(sent(one_group, 3, 0b001, 1) == "0/0/0");
    CHECK(sent(one_group, 3, 0b010, 1) == "1/1/1");
    CHECK(sent(one_group, 3, 0b100, 1) == "2/2/2");
    CHECK(sent(one_group, 3, 0b011, 2) == "0/1/0");
    CHECK(sent(one_group, 3, 0b101, 2) == "0/2/2");
    CHECK(sent(one_group, 3, 0b110, 2) == "1/1/2");
    // The second wave, a stage later and one packet on.
    CHECK(sent(one_group, 3, 0b000, 1) == "1/2/0");
    CHECK(sent(one_group, 3, 0b001, 2) == "1/1/1");
    CHECK(sent(one_group, 3, 0b010, 2) == "2/2/2");
    CHECK(sent(one_group, 3, 0b100, 2) == "0/0/0");
    CHECK(sent(one_group, 3, 0b011, 3) == "-/-/-");
}

TEST_CASE("broadcast: pipelined with one group sends the same as two-waves", "[link-bound]")
{
    const detail::WaveRule one_group = detail::pipelined(1);
    for (unsigned d = 1; d <= 6; ++d)
        for (NodeId node = 0; node < NodeId{1} << d; ++node)
            for (Step stage = 0; stage <= d; ++stage) {
                INFO("d = " << d << ", node " << node << ", stage " << stage);
                CHECK(sent(detail::two_waves, d, node, stage) == sent(one_group, d, node, stage));
            }
}

TEST_CASE("broadcast and reduce send as many packets as they say, for any size and number of groups", "[link-bound]")
{
    Sample sample;
    std::size_t runs = 0;
    for (const Entry& algorithm : catalogue()) {
        if (algorithm.link != LinkKind::link_bound ||
            (algorithm.collective != Collective::broadcast && algorithm.collective != Collective::reduce))
            continue;
        for (const unsigned d : {1U, 2U, 3U, 4U}) {
            const Topology cube = Topology::hypercube(d);
            for (const std::size_t bytes : {1U, 3U, 10U, 31U}) {
                for (const std::size_t g : {0U, 1U, 2U, 3U, 9U}) {
                    const Problem problem = grouped(algorithm.collective, bytes, g);
                    if (!algorithm.obstacle(cube, problem).empty() || !sample.takes_next())
                        continue;
                    INFO(name(algorithm.collective)
                         << " " << algorithm.name << " d = " << d << ", m = " << bytes << ", g = " << g);
                    const Report report = run_link_bound(d, problem, std::string(algorithm.name));
                    CHECK(report.counts.transmissions == algorithm.cost(cube, problem).transmissions);
                    ++runs;
                }
            }
        }
    }
    CHECK(runs > 20);
}

TEST_CASE("broadcast: a hundred million groups are counted at once", "[link-bound]")
{
    const Topology cube = Topology::hypercube(3);
    const Problem problem = grouped(Collective::broadcast, 1'000'000'000, 100'000'000);
    const auto cost_of = [&](const char* name) {
        return find_algorithm(cube, PortModel::all, problem, name).cost(cube, problem);
    };
    CHECK(cost_of("pipelined") == Cost{100'000'002, 3 * (100'000'001ULL * 8 - 2 - 3)});
    CHECK(cost_of("pipelined-pruned") == Cost{100'000'002, 3 * 100'000'000ULL * 7});
    CHECK(cost_of("edge-disjoint-trees") == Cost{100'000'003, 3 * 100'000'000ULL * 7});
}

TEST_CASE("broadcast and reduce refuse more groups than bytes or elements", "[link-bound][negative]")
{
    const Topology cube = Topology::hypercube(3);
    for (const char* const name : {"pipelined", "pipelined-pruned", "edge-disjoint-trees"}) {
        CHECK(find_algorithm(cube, PortModel::all, grouped(Collective::broadcast, 64, 64), name).name == name);
        for (const std::size_t g : {std::size_t{65}, std::size_t{2147483648}})
            CHECK_THROWS_WITH(find_algorithm(cube, PortModel::all, grouped(Collective::broadcast, 64, g), name),
                              Catch::Contains("it can cut this message of 64 bytes in at most 64 groups, and " +
                                              std::to_string(g) + " are asked for"));
    }
    Problem sums = grouped(Collective::reduce, 64, 16);
    sums.type = ElementType::float32;
    CHECK(find_algorithm(cube, PortModel::all, sums, "pipelined").name == "pipelined");
    sums.tuning.groups = 17;
    CHECK_THROWS_AS(find_algorithm(cube, PortModel::all, sums, "pipelined"), InvalidArgument);
}

// With the best whole g; the real optimum is sqrt((d-1) tau m/(d beta)).
TEST_CASE("broadcast takes the best number of groups", "[link-bound]")
{
    struct Row {
        unsigned d;
        std::size_t bytes;
        long rotated, trees, pipelined;
        std::size_t groups;
    };
    for (const Row& row : {Row{3, 1000, 1302, 1272, 1060, 3}, Row{3, 100000, 100302, 39970, 38715, 27},
                           Row{6, 1000, 1602, 1404, 1248, 3}, Row{6, 100000, 100602, 23598, 22950, 29},
                           Row{10, 1000, 2000, 1742, 1608, 3}, Row{10, 10000, 11000, 4000, 3800, 10},
                           Row{10, 1000000, 1001000, 121000, 119910, 96}}) {
        INFO("d = " << row.d << ", m = " << row.bytes);
        CHECK(predicted("B2", row.d, row.bytes) == row.rotated);
        CHECK(predicted("EDST", row.d, row.bytes) == row.trees);
        CHECK(predicted("B4", row.d, row.bytes, row.groups) == row.pipelined);
        CHECK(predicted("B4", row.d, row.bytes) <= row.pipelined);
    }
}

TEST_CASE("broadcast: in two phases, parts of two sizes are cut so that no packet is longer than it need be",
          "[link-bound]")
{
    // 60 bytes: on the 3-cube four parts of 8 and four of 7, whose thirds join to packets of 3, 6 and 10 bytes.
    for (const auto& [d, ns] : {std::pair{2U, 338}, std::pair{3U, 408}, std::pair{5U, 587}}) {
        Problem problem{.collective = Collective::broadcast, .bytes = 60};
        problem.link = link_bound(3, 50);
        CAPTURE(d);
        CHECK(virtual_time(d, problem, "scatter-all-gather") == Rational{ns});
    }
}

TEST_CASE("broadcast: medium messages are faster in two phases", "[link-bound]")
{
    // d = 6, 60 bytes per node: the scatter with the plan 654|3|2|1, then the all-gather.
    for (const auto& [beta, two_phases, pipelined] : {std::tuple{128, 2540, 2560}, std::tuple{85, 2110, 2112}}) {
        Problem problem{.collective = Collective::broadcast, .bytes = 3840};
        problem.link = link_bound(1, beta);
        CHECK(virtual_time(6, problem, "scatter-all-gather") == Rational{two_phases});
        CHECK(virtual_time(6, problem, "pipelined") == Rational{pipelined});
        CHECK(find_algorithm(Topology::hypercube(6), PortModel::all, problem).name == "scatter-all-gather");
    }
}
