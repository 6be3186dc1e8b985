#include "algorithms/beyond/cubes/all_reduce_cores.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/hypercube_run.hpp"
#include "tests/support/sizes.hpp"

#include <algorithm>
#include <set>
#include <string>

using namespace dcube;
using namespace dcube::detail;
using namespace test_support;

namespace {

std::string with_ports(const char* name, PortModel ports)
{
    return ports == PortModel::all ? name : std::string(name) + "-one";
}

Cost cost_of(unsigned d, PortModel ports, std::size_t blocks, const std::string& algorithm)
{
    const Topology cube = Topology::hypercube(d);
    const Problem problem{Collective::all_reduce, 1, blocks};
    return find_algorithm(cube, ports, problem, algorithm).cost(cube, problem);
}

// Any-network specification, 7.4.
struct Row {
    unsigned d;
    std::size_t blocks;
    PortModel ports;
    std::uint64_t fold;
    std::uint64_t cores;  // 0: the table has none
};

constexpr Row table_7_4[] = {
    {6, 17, PortModel::all, 10, 0},     {6, 40, PortModel::all, 17, 16},  {6, 100, PortModel::all, 41, 34},
    {7, 17, PortModel::all, 11, 0},     {7, 100, PortModel::all, 33, 30}, {8, 40, PortModel::all, 17, 15},
    {8, 100, PortModel::all, 32, 28},   {9, 40, PortModel::all, 18, 15},  {10, 40, PortModel::all, 14, 14},
    {10, 100, PortModel::all, 28, 25},  {5, 17, PortModel::one, 40, 34},  {6, 17, PortModel::one, 41, 37},
    {6, 100, PortModel::one, 202, 198}, {8, 40, PortModel::one, 84, 82},
};

}  // namespace

TEST_CASE("all-reduce of m blocks takes the steps of the table, or fewer", "[algorithms][bertsekas]")
{
    for (const auto& [d, blocks, ports, fold, cores] : table_7_4) {
        if (d > smaller(10U, 6U))
            continue;
        CAPTURE(d, blocks, name(ports));
        CHECK(cost_of(d, ports, blocks, with_ports("fold", ports)).steps == fold);
        if (cores != 0)
            CHECK(cost_of(d, ports, blocks, with_ports("cores", ports)).steps <= cores);
        CHECK(cost_of(d, ports, blocks, "auto").steps <= (cores == 0 ? fold : std::min(fold, cores)));
    }
}

TEST_CASE("cores share no node if they begin with the same dimension, and every block reaches every node once",
          "[algorithms][bertsekas]")
{
    constexpr unsigned d = 6;
    const Arcs arcs(Topology::hypercube(d));
    for (const PortModel ports : {PortModel::all, PortModel::one})
        for (const std::size_t blocks : {1U, 5U, 13U, 17U, 40U, 100U}) {
            CAPTURE(name(ports), blocks);
            const auto found = cores_for(d, ports, blocks, 0);
            REQUIRE(found->cores.size() == blocks);
            std::set<std::pair<unsigned, NodeId>> taken;
            std::set<std::pair<std::uint32_t, NodeId>> reached;
            for (std::uint32_t block = 0; block < blocks; ++block)
                for (const NodeId node : nodes_of(found->cores[block], found->dimensions, d)) {
                    if (found->dimensions > 0)
                        CHECK(taken.insert({found->cores[block].first, node}).second);
                    CHECK(reached.insert({block, node}).second);
                }
            for (const TimedMove& move : found->spread.moves) {
                CHECK(reached.contains({move.packet, arcs.from(move.arc)}));
                CHECK(reached.insert({move.packet, arcs.to(move.arc)}).second);
            }
            CHECK(reached.size() == blocks << d);
        }
}

TEST_CASE("cores runs as its entry promises, and its report does not depend on the threads", "[algorithms][bertsekas]")
{
    for (const auto& [d, blocks, ports] : {std::tuple(0U, 3U, PortModel::all),
                                           {1U, 3U, PortModel::one},
                                           {5U, 17U, PortModel::one},
                                           {6U, 40U, PortModel::all},
                                           {6U, 17U, PortModel::one},
                                           {smaller(9U, 6U), 40U, PortModel::all}}) {
        CAPTURE(d, blocks, name(ports));
        const std::string algorithm = with_ports("cores", ports);
        const Report one = run_one(d, ports, Collective::all_reduce, blocks, algorithm, 1);
        const Report three = run_one(d, ports, Collective::all_reduce, blocks, algorithm, 3);
        CHECK(one.verified);
        CHECK(counted(one) == cost_of(d, ports, blocks, algorithm));
        CHECK(one.counts.steps >= one.steps_lower_bound);
        CHECK(counted(three) == counted(one));
        CHECK(three.result_digest == one.result_digest);
    }
}

TEST_CASE("more blocks than cores can be planned for are refused", "[algorithms][bertsekas][negative]")
{
    CHECK_THROWS_WITH(cost_of(12, PortModel::all, 489, "cores"),
                      Catch::Contains("at most 488 blocks are allowed on 4096 nodes"));
}
