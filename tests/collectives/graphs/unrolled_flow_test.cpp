// Scatters as flows in time: their steps are the least there can be, and every packet arrives.

#include "tests/support/any_networks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/reference_flow.hpp"
#include "tests/support/sizes.hpp"

#include "collectives/graphs/scatter_flow.hpp"
#include "collectives/graphs/unrolled_flow.hpp"
#include "collectives/graphs/unrolled_network.hpp"

#include <dcube/topology.hpp>

#include <map>
#include <set>

using namespace dcube;
using namespace dcube::detail;
using test_support::smaller;

namespace {

// Every packet goes from the root to its node, one per link and step, and comes to no node twice.
void check_walks(const Arcs& arcs, NodeId root, std::uint64_t packets, Step steps, const std::vector<Walk>& walks)
{
    std::set<std::pair<Step, ArcId>> busy;
    std::map<NodeId, std::uint64_t> received;
    for (const Walk& walk : walks) {
        NodeId node = root;
        Step now = 0;
        std::set<NodeId> seen{root};
        for (const auto& [step, arc] : walk.hops) {
            CHECK(step > now);
            CHECK(arcs.from(arc) == node);
            CHECK(busy.insert({step, arc}).second);
            now = step;
            node = arcs.to(arc);
            CHECK(seen.insert(node).second);
        }
        CHECK(now <= steps);
        CHECK(node == walk.target);
        ++received[node];
    }
    CHECK(received.size() == arcs.members().size() - 1);
    for (const auto& [node, count] : received)
        CHECK(count == packets);
    CHECK(std::ranges::is_sorted(walks, {}, &Walk::target));
}

std::uint64_t reached(const Topology& topology, NodeId root, std::uint64_t packets, Step steps)
{
    return dcube::test::delivered(topology, root, steps,
                                  [&](NodeId node) { return node == root ? std::uint64_t{0} : packets; });
}

// Found in the unrolled network alone.
std::optional<std::vector<Walk>> searched(const Arcs& arcs, NodeId root, std::uint64_t packets, Step steps)
{
    UnrolledNetwork network(arcs, root, packets, steps);
    return network.complete() ? std::optional(network.walks()) : std::nullopt;
}

// Backwards, and to the root.
void check_gather(const Arcs& arcs, NodeId root, std::uint64_t packets, Step steps, std::vector<Walk> gather)
{
    for (Walk& walk : gather) {
        std::ranges::reverse(walk.hops);
        for (auto& [step, arc] : walk.hops) {
            step = steps + 1 - step;
            arc = arcs.opposite(arc);
        }
    }
    check_walks(arcs, root, packets, steps, gather);
}

std::size_t hops(const std::vector<Walk>& walks)
{
    std::size_t hops = 0;
    for (const Walk& walk : walks)
        hops += walk.hops.size();
    return hops;
}

}  // namespace

TEST_CASE("unrolled flow: no other scatter takes fewer steps", "[graphs]")
{
    for (unsigned seed = 0; seed < smaller(80U, 20U); ++seed) {
        const Topology topology = dcube::test::random_product(seed);
        if (topology.nodes() > 18)
            continue;
        const Arcs arcs(topology);
        const NodeId root = seed * 7 % topology.nodes();
        for (const std::uint64_t packets : {1U, 2U, 5U}) {
            CAPTURE(seed, root, packets);
            const ScatterWalks scatter = scatter_walks(arcs, root, packets);
            check_walks(arcs, root, packets, scatter.steps, scatter.walks);
            const std::uint64_t all = packets * (topology.nodes() - 1);
            CHECK(reached(topology, root, packets, scatter.steps) == all);
            CHECK(reached(topology, root, packets, scatter.steps - 1) < all);
            CHECK(scatter_bound(arcs, root, packets) <= scatter.steps);
            CHECK_FALSE(unrolled_scatter(arcs, root, packets, scatter.steps - 1));
        }
    }
}

TEST_CASE("unrolled flow: the unrolled network alone finds as few steps", "[graphs]")
{
    for (unsigned seed = 0; seed < smaller(60U, 15U); ++seed) {
        const Topology topology = dcube::test::random_product(seed);
        const Arcs arcs(topology);
        const NodeId root = seed % topology.nodes();
        for (const std::uint64_t packets : {1U, 3U}) {
            CAPTURE(seed, root, packets);
            const Step steps = scatter_walks(arcs, root, packets).steps;
            const std::optional<std::vector<Walk>> gather = searched(arcs, root, packets, steps);
            REQUIRE(gather);
            check_gather(arcs, root, packets, steps, *gather);
            CHECK_FALSE(searched(arcs, root, packets, steps - 1));
        }
    }
}

TEST_CASE("unrolled flow: bounds that can be counted by hand are found", "[graphs]")
{
    const auto bound = [](const char* network, NodeId root, std::uint64_t packets) {
        return scatter_bound(Arcs(Topology::parse(network)), root, packets);
    };
    CHECK(bound("path:6", 0, 1) == 5);    // over one link
    CHECK(bound("path:6", 2, 10) == 30);  // three nodes on the longer side
    CHECK(bound("path:3", 1, 4) == 4);
    CHECK(bound("torus:6x6", 0, 1) == 9);
    CHECK(bound("hypercube:6", 0, 17) == 179);
    CHECK(bound("complete:9", 4, 7) == 7);
    CHECK(bound("hypercube:0", 0, 3) == 0);
    // Two triangles joined by the link 2-3: from node 0 its packets leave by two links, but those for three nodes cross
    // that one, not before step 2.
    const std::vector<std::pair<NodeId, NodeId>> edges{{0, 1}, {0, 2}, {1, 2}, {2, 3}, {3, 4}, {3, 5}, {4, 5}};
    const Arcs arcs(Topology::product({Graph::from_edges("two-triangles", edges)}));
    const ScatterCut cut = scatter_cut(arcs, 0, 10);
    CHECK(cut.steps == 31);
    CHECK(cut.inside == std::vector<bool>{true, true, true, false, false, false});
    CHECK(scatter_walks(arcs, 0, 10).steps == 31);
}

TEST_CASE("unrolled flow: packets that would be late when dealt out find room in the unrolled network", "[graphs]")
{
    unsigned late = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
        const Arcs arcs(Topology::product({dcube::test::random_graph(seed, 6 + seed % 20)}));
        const NodeId root = seed % arcs.nodes();
        const ScatterWalks scatter = scatter_walks(arcs, root, 1);
        const ScatterFlow flow(arcs, root, 1, scatter.steps);
        REQUIRE(flow.is_complete());
        if (steps_of(round_robin_gather(arcs, root, 1, flow, scatter.steps)) > scatter.steps) {
            CAPTURE(seed);
            check_walks(arcs, root, 1, scatter.steps, scatter.walks);
            ++late;
        }
    }
    CHECK(late > 0);
}

TEST_CASE("unrolled flow: many packets take no search, and no detours that are not needed", "[graphs]")
{
    for (const std::string_view name : {"torus8x8", "random20", "bintree31", "hub9"}) {
        const Topology topology = dcube::test::any_network(name);
        const Arcs arcs(topology);
        const std::uint64_t packets = smaller(200U, 50U);
        CAPTURE(name);
        const ScatterWalks scatter = scatter_walks(arcs, 0, packets);
        check_walks(arcs, 0, packets, scatter.steps, scatter.walks);
        CHECK(scatter.steps == scatter_bound(arcs, 0, packets));
        if (name != "random20")
            CHECK(hops(scatter.walks) == packets * topology.status(0));
    }
}

TEST_CASE("unrolled flow: planning twice gives the same walks", "[graphs]")
{
    const Arcs arcs(dcube::test::any_network("random64"));
    const ScatterWalks a = scatter_walks(arcs, 3, 2);
    const ScatterWalks b = scatter_walks(arcs, 3, 2);
    CHECK(a.steps == b.steps);
    CHECK(std::ranges::equal(a.walks, b.walks, [](const Walk& one, const Walk& other) {
        return one.target == other.target && one.hops == other.hops;
    }));
}
