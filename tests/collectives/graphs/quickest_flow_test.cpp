// Quickest flows: their lengths, their steps, and the paths that they are made of.

#include "tests/support/catch.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/reference_flow.hpp"
#include "tests/support/sizes.hpp"

#include "collectives/graphs/quickest_flow.hpp"

#include <dcube/topology.hpp>

#include <algorithm>
#include <numeric>
#include <set>

using namespace dcube;
using namespace dcube::detail;
using test_support::smaller;

namespace {

using Lengths = std::vector<std::uint32_t>;

Lengths lengths(const char* network, NodeId from, NodeId to)
{
    return augmenting_lengths(Arcs(Topology::parse(network)), from, to);
}

// Paths that share no link in either direction and carry the packets in time.
void check_paths(const Arcs& arcs, NodeId from, NodeId to, std::uint64_t packets)
{
    const QuickestPaths quickest = quickest_paths(arcs, from, to, packets);
    const Lengths all = augmenting_lengths(arcs, from, to);
    CHECK(quickest.steps == quickest_steps(all, packets));
    std::set<ArcId> used;
    std::uint64_t carried = 0;
    std::size_t links = 0;
    for (const std::vector<ArcId>& path : quickest.paths) {
        NodeId node = from;
        for (const ArcId arc : path) {
            CHECK(arcs.from(arc) == node);
            CHECK(used.insert(std::min(arc, arcs.opposite(arc))).second);
            node = arcs.to(arc);
        }
        CHECK(node == to);
        REQUIRE(path.size() <= quickest.steps);
        carried += quickest.steps - path.size() + 1;
        links += path.size();
    }
    CHECK(carried >= packets);
    CHECK(std::ranges::is_sorted(quickest.paths, {}, [](const auto& path) { return path.size(); }));
    const std::size_t count = quickest.paths.size();
    REQUIRE(count <= all.size());
    CHECK(links == std::accumulate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), std::size_t{0}));
}

}  // namespace

TEST_CASE("quickest flow: lengths of augmenting paths that can be read off the network", "[graphs]")
{
    CHECK(lengths("hypercube:6", 0, 63) == Lengths{6, 6, 6, 6, 6, 6});
    CHECK(lengths("hypercube:6", 5, 4) == Lengths{1, 3, 3, 3, 3, 3});
    CHECK(lengths("hypercube:4", 3, 5) == Lengths{2, 2, 4, 4});
    CHECK(lengths("ring:7", 0, 3) == Lengths{3, 4});
    CHECK(lengths("path:9", 2, 7) == Lengths{5});
    CHECK(lengths("mesh:4x6", 0, 23) == Lengths{8, 8});
    CHECK(lengths("complete:5", 1, 3) == Lengths{1, 2, 2, 2});
}

// The first path goes straight on over the bridge in the middle; two paths cannot, so the second takes it back:
// 0-1-2-3 is the shortest, 0-4-5-2 and 1-6-7-3 are the detours.
TEST_CASE("quickest flow: a later path takes back what an earlier one uses", "[graphs]")
{
    const std::vector<std::pair<NodeId, NodeId>> edges{{0, 1}, {1, 2}, {2, 3}, {0, 4}, {4, 5},
                                                       {5, 2}, {1, 6}, {6, 7}, {7, 3}};
    const Arcs arcs(Topology::product({Graph::from_edges("bridge", edges)}));
    CHECK(augmenting_lengths(arcs, 0, 3) == Lengths{3, 5});
    const QuickestPaths quickest = quickest_paths(arcs, 0, 3, 10);
    REQUIRE(quickest.paths.size() == 2);
    CHECK(quickest.paths[0].size() == 4);
    CHECK(quickest.paths[1].size() == 4);
    CHECK(quickest.steps == 8);  // five on each, as with 3 and 5 hops
    CHECK(quickest_paths(arcs, 0, 3, 2).paths.size() == 1);
}

TEST_CASE("quickest flow: steps are the least that hold all packets", "[graphs]")
{
    CHECK(quickest_steps(Lengths{}, 0) == 0);
    CHECK(quickest_steps(Lengths{6, 6, 6, 6, 6, 6}, 17) == 8);
    for (const Lengths& lengths : {Lengths{1}, Lengths{1, 3, 3}, Lengths{2, 2, 9}, Lengths{4, 5, 5, 11, 30}})
        for (std::uint64_t packets = 1; packets < 100; ++packets) {
            std::uint64_t steps = 0;
            const auto held = [&] {
                std::uint64_t sum = 0;
                for (const std::uint64_t length : lengths)
                    sum += steps >= length ? steps - length + 1 : 0;
                return sum;
            };
            while (held() < packets)
                ++steps;
            CAPTURE(packets);
            CHECK(quickest_steps(lengths, packets) == steps);
            CHECK(quickest_steps(std::span(lengths).first(quickest_paths_needed(lengths, packets)), packets) == steps);
        }
}

TEST_CASE("quickest flow: no flow in the unrolled network arrives sooner", "[graphs]")
{
    for (unsigned seed = 0; seed < smaller(60U, 15U); ++seed) {
        const Topology topology = dcube::test::random_product(seed);
        if (topology.nodes() > 24)
            continue;
        const Arcs arcs(topology);
        const NodeId from = seed % topology.nodes();
        const NodeId to = (from + 1 + seed / 3 % (topology.nodes() - 1)) % topology.nodes();
        const auto at_end = [to](NodeId node) { return node == to ? std::uint64_t{1000} : 0; };
        for (const std::uint64_t packets : {1U, 2U, 5U, 12U}) {
            CAPTURE(seed, from, to, packets);
            const auto steps = static_cast<Step>(quickest_steps(augmenting_lengths(arcs, from, to), packets));
            CHECK(dcube::test::delivered(topology, from, steps, at_end) >= packets);
            CHECK(dcube::test::delivered(topology, from, steps - 1, at_end) < packets);
            check_paths(arcs, from, to, packets);
        }
    }
}

TEST_CASE("quickest flow: paths on larger networks share no link", "[graphs]")
{
    for (const char* const name : {"hypercube:6", "torus:6x6", "petersen", "complete:9", "mesh:4x6", "star:4"}) {
        const Topology topology = Topology::parse(name);
        const Arcs arcs(topology);
        for (NodeId to = 1; to < topology.nodes(); to += 1 + topology.nodes() / 12)
            for (const std::uint64_t packets : {1U, 17U, 100U}) {
                CAPTURE(name, to, packets);
                check_paths(arcs, 0, to, packets);
            }
    }
}
