// All-gathers whose times others have published: TACOS' tests (github.com/astra-sim/tacos, tests/, commit 1f364df2;
// each expects the best of 20 random tries, to 1 %) and ForestColl's optimum (github.com/liangyuRain/ForestColl, README
// and topologies.py, commit 1447ece7). docs/results.md has the table.

#include "tests/support/catch.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace dcube;

namespace {

constexpr std::int64_t gib = std::int64_t{1} << 30;

// A grid of nodes in up to three dimensions, with links of so many GiB/s in each, and a latency in ns.
struct Grid {
    std::vector<NodeId> sizes;
    std::vector<std::int64_t> bandwidths;
    std::int64_t latency;
    bool wraps;
};

Topology drawn(const Grid& grid)
{
    std::vector<std::pair<NodeId, NodeId>> edges;
    Fabric fabric;
    std::set<std::pair<NodeId, NodeId>> known;
    NodeId nodes = 1;
    for (const NodeId size : grid.sizes)
        nodes *= size;
    for (NodeId node = 0; node < nodes; ++node) {
        NodeId stride = 1;
        for (std::size_t i = 0; i < grid.sizes.size(); stride *= grid.sizes[i++]) {
            const NodeId at = node / stride % grid.sizes[i];
            if (at + 1 == grid.sizes[i] && !grid.wraps)
                continue;
            const NodeId far = node - at * stride + (at + 1) % grid.sizes[i] * stride;
            if (!known.insert(std::minmax({node, far})).second)
                continue;
            edges.emplace_back(node, far);
            fabric.links.push_back({node, far, {1'000'000'000, grid.bandwidths[i] * gib}, {grid.latency, 1}});
        }
    }
    return Topology::product({Graph::from_edges("grid", edges, fabric)});
}

// 16 or 32 GPUs of AMD MI250s, by the number of 50 GB/s links between them; between boxes 16 GB/s over one switch.
Topology mi250(NodeId boxes)
{
    constexpr struct {
        NodeId a, b;
        std::int64_t links;
    } box[] = {{0, 1, 4},   {0, 4, 2},   {0, 8, 1},   {1, 5, 1},   {1, 9, 1},   {1, 10, 1},  {2, 3, 4},
               {2, 6, 1},   {2, 9, 1},   {2, 10, 1},  {3, 7, 2},   {3, 11, 1},  {4, 5, 4},   {4, 6, 1},
               {5, 6, 1},   {5, 7, 1},   {6, 7, 4},   {8, 9, 4},   {8, 12, 2},  {9, 13, 1},  {10, 11, 4},
               {10, 14, 1}, {11, 15, 2}, {12, 13, 4}, {12, 14, 1}, {13, 14, 1}, {13, 15, 1}, {14, 15, 4}};
    std::vector<std::pair<NodeId, NodeId>> edges;
    Fabric fabric;
    const auto link = [&](NodeId a, NodeId b, std::int64_t gb_per_s) {
        edges.emplace_back(a, b);
        fabric.links.push_back({a, b, {1, gb_per_s}, {0, 1}});
    };
    for (NodeId first = 0; first < 16 * boxes; first += 16) {
        for (const auto& [a, b, links] : box)
            link(first + a, first + b, 50 * links);
        for (NodeId gpu = first; boxes > 1 && gpu < first + 16; ++gpu)
            link(gpu, 16 * boxes, 16);
    }
    if (boxes > 1)
        fabric.switches = {16 * boxes};
    return Topology::product({Graph::from_edges("mi250", edges, fabric)});
}

Problem all_gather_on(const Topology& topology, std::int64_t bytes)
{
    Problem problem{.collective = Collective::all_gather, .bytes = static_cast<std::size_t>(bytes)};
    problem.link = topology.links({.kind = LinkKind::link_bound});
    return problem;
}

double planned_us(const Topology& topology, std::int64_t bytes)
{
    const Problem problem = all_gather_on(topology, bytes);
    return predicted_time(find_algorithm(topology, PortModel::all, problem), topology, problem)->ns.to_double() / 1000;
}

double bound_us(const Topology& topology, std::int64_t bytes)
{
    return time_bound(topology, all_gather_on(topology, bytes)).value.to_double() / 1000;
}

}  // namespace

TEST_CASE("published times: no all-gather of TACOS' tests is slower here", "[fabric][long]")
{
    const struct {
        Grid grid;
        std::int64_t bytes;  // of a node
        double published;    // us
    } cases[] = {
        {{{5, 5}, {50, 75}, 500, false}, gib / 25, 8005.0},
        {{{8, 5}, {80, 35}, 1000, false}, gib / 80 * 2, 8595.43},
        {{{7, 10}, {16, 73}, 1500, false}, 4 * gib / 210 * 3, 44612.47},
        {{{5, 5}, {50, 50}, 500, false}, gib / 25, 9606.0},
        {{{10, 10}, {100, 100}, 1000, false}, gib / 200 * 2, 5049.0},
        {{{7, 12}, {100, 100}, 1000, false}, 4 * gib / 252 * 3, 19966.27},
        {{{3, 3, 3}, {50, 50, 50}, 500, false}, gib / 27, 6671.17},
        {{{3, 4, 5}, {50, 50, 50}, 500, false}, 2 * gib / 120 * 2, 13353.33},
        {{{4, 2, 3}, {50, 50, 50}, 500, false}, 3 * gib / 72 * 3, 19178.17},
        {{{3, 3, 3}, {50, 50, 50}, 500, true}, gib / 27, 3706.20},
        {{{3, 4, 5}, {50, 50, 50}, 500, true}, 2 * gib / 120 * 2, 6676.67},
        {{{4, 2, 3}, {50, 50, 50}, 500, true}, 3 * gib / 72 * 3, 11673.67},
    };
    for (const auto& [grid, bytes, published] : cases) {
        const Topology topology = drawn(grid);
        if (topology.nodes() > test_support::smaller(100U, 60U, 30U))
            continue;
        CAPTURE(topology.nodes(), bytes, published);
        const double planned = planned_us(topology, bytes);
        CHECK(planned < published * 1.0001);
        CHECK(planned >= bound_us(topology, bytes));
    }
}

TEST_CASE("published times: the bound is ForestColl's optimum where there are no start-ups", "[fabric][long]")
{
    constexpr std::int64_t all = 1'000'000'000;
    // The largest over all cuts of the GPUs inside over the bandwidth out, times a GPU's bytes: 15 in 325 GB/s.
    Fabric fabric = Topology::parse("dgx-a100:2").fabric();
    std::vector<std::pair<NodeId, NodeId>> edges;
    for (TimedLink& link : fabric.links) {
        link.beta = {0, 1};
        edges.emplace_back(link.a, link.b);
    }
    const Topology a100 = Topology::product({Graph::from_edges("a100", edges, fabric)});
    CHECK(bound_us(a100, all / 16) == Approx(15 * (all / 16) / 325.0 / 1000).epsilon(1e-6));
    // All but one GPU of a box, in the 350 GB/s of its seven links: the GPUs are not all alike, this is the poorest.
    CHECK(bound_us(mi250(1), all / 16) >= 15 * (all / 16) / 350.0 / 1000);
    CHECK(planned_us(mi250(1), all / 16) < 1.15 * bound_us(mi250(1), all / 16));
    CHECK(planned_us(a100, all / 16) < 1.15 * bound_us(a100, all / 16));
}
