// Links between ranks: counted by hand, and the shares that were computed when ranges of ids were chosen.

#include "run/rank_links.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/world.hpp>

#include <array>
#include <set>
#include <utility>

using namespace dcube;
using namespace test_support;

namespace {

double percent(const char* network, unsigned ranks)
{
    return 100 * crossing_share(rank_links(Topology::parse(network), ranks)).to_double();
}

struct Row {
    const char* network;
    std::array<double, 4> percent;  // of 4, 8, 16 and 64 ranks
    double within;
};

// The nodes' ranks from the definition, and all pairs of neighbours.
RankLinks counted(const Topology& topology, unsigned ranks)
{
    const auto owner = [&](NodeId node) {
        unsigned rank = 0;
        while (!nodes_of_rank(rank, ranks, topology.nodes()).contains(node))
            ++rank;
        return rank;
    };
    RankLinks all;
    std::set<std::pair<unsigned, unsigned>> pairs;
    for (NodeId node = 0; node < topology.nodes(); ++node)
        for (Port port = 0; port < topology.ports(node); ++port) {
            const std::pair ends(owner(node), owner(topology.neighbour(node, port)));
            ++all.links;
            if (ends.first != ends.second) {
                ++all.crossing;
                pairs.insert(ends);
            }
        }
    for (unsigned rank = 0; rank < ranks; ++rank) {
        unsigned peers = 0;
        for (const auto& [from, to] : pairs)
            peers += from == rank;
        all.most_peers = std::max(all.most_peers, peers);
    }
    return all;
}

}  // namespace

TEST_CASE("rank links: rings and squares have the counts found by hand", "[run][world]")
{
    CHECK(rank_links(Topology::parse("ring:5"), 1) == RankLinks{10, 0, 0});
    CHECK(rank_links(Topology::parse("ring:5"), 2) == RankLinks{10, 4, 1});  // 0 1 | 2 3 4, both ends
    CHECK(rank_links(Topology::parse("ring:5"), 5) == RankLinks{10, 10, 2});
    CHECK(rank_links(Topology::hypercube(2), 2) == RankLinks{8, 4, 1});
    CHECK(rank_links(Topology::hypercube(0), 1) == RankLinks{0, 0, 0});
    CHECK(crossing_share({0, 0, 0}) == Rational{0, 1});
    CHECK(crossing_share({8, 4, 1}) == Rational{1, 2});
}

TEST_CASE("rank links: on 2^r ranks r of a d-cube's d ports cross, and lead to r peers", "[run][world]")
{
    for (unsigned d = 1; d <= 10; ++d)
        for (unsigned r = 0; r <= d; ++r) {
            const RankLinks links = rank_links(Topology::hypercube(d), 1U << r);
            CHECK(links == RankLinks{std::uint64_t{d} << d, std::uint64_t{r} << d, r});
        }
}

TEST_CASE("rank links: tori, meshes and generalised hypercubes have the table's shares", "[run][world]")
{
    // The table of the specification, which is rounded.
    const Row table[] = {{"torus:16x16x16", {8, 17, 33, 42}, 0.5}, {"mesh:64x64", {2.4, 5.6, 12, 50}, 0.6},
                         {"torus:64x8x8", {2, 4, 8, 33}, 0.5},     {"torus:8x8x64", {17, 33, 42, 67}, 0.5},
                         {"ghc:2x4x16", {16, 21, 63, 95}, 0.5},    {"ghc:16x4x2", {63, 74, 79, 95}, 0.5}};
    for (const Row& row : table)
        for (unsigned i = 0; i < 4; ++i) {
            const unsigned ranks[] = {4, 8, 16, 64};
            CAPTURE(row.network, ranks[i]);
            CHECK(percent(row.network, ranks[i]) == Approx(row.percent[i]).margin(row.within));
        }
}

TEST_CASE("rank links: on any network the count is that of a plain loop over links", "[run][world]")
{
    for (const char* const text : {"ring:7", "torus:3x4", "mesh:2x5", "ghc:2x3x2", "star:4", "petersen", "hypercube:4",
                                   "hypercube:4 without 0-1,9", "complete:4*path:3"}) {
        const Topology topology = Topology::parse(text);
        for (unsigned ranks = 1; ranks <= topology.nodes(); ++ranks) {
            CAPTURE(text, ranks);
            CHECK(rank_links(topology, ranks) == counted(topology, ranks));
        }
    }
}

TEST_CASE("rank links: rings and paths want their largest factor first, complete graphs last", "[run][world]")
{
    const auto better = [](const char* network, unsigned ranks) {
        const auto found = better_order(Topology::parse(network), ranks);
        if (!found)
            return std::string("none");
        CHECK(rank_links(found->topology, ranks) == found->links);
        CHECK(found->links.crossing < rank_links(Topology::parse(network), ranks).crossing);
        CHECK(Topology::parse(found->topology.name()) == found->topology);
        return found->topology.name();
    };
    CHECK(better("torus:8x8x64", 4) == "torus:64x8x8");
    CHECK(better("torus:64x8x8", 4) == "none");
    CHECK(better("mesh:4x16", 4) == "mesh:16x4");
    CHECK(better("ghc:16x4x2", 8).ends_with("x16"));  // either order of the others
    CHECK(better("ghc:2x4x16", 4) == "none");
    CHECK(better("path:3*ring:8", 2) == "ring:8*path:3");
    CHECK(better("hypercube:9", 3) == "none");  // equal factors have one order
    CHECK(better("petersen", 3) == "none");
    CHECK(better("hypercube:4 without 0-1", 2) == "none");
}

TEST_CASE("rank links: a rank has at least one node", "[run][world]")
{
    CHECK(error_of([] { (void)rank_links(Topology::hypercube(2), 5); }) ==
          "ranks 5 is too many for the 4 nodes of hypercube:2: 1 to 4 are allowed");
    CHECK(
        contains(error_of([] { (void)rank_links(Topology::hypercube(2), 0); }), "ranks 0 is too few for the 4 nodes"));
}
