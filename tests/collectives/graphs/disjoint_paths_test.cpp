// Two paths without a common inner node.

#include "tests/support/catch.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/sizes.hpp"

#include "collectives/graphs/disjoint_paths.hpp"

#include <dcube/topology.hpp>

#include <algorithm>
#include <optional>
#include <set>

using namespace dcube;
using namespace dcube::detail;
using test_support::smaller;

namespace {

// Their length together, by looking at all simple paths.
class AllPairs {
public:
    AllPairs(const Arcs& arcs, NodeId from, NodeId to) : arcs_(arcs), to_(to), taken_(arcs.nodes())
    {
        taken_[from] = true;
        go(from);
    }

    [[nodiscard]] std::optional<std::size_t> least() const
    {
        std::optional<std::size_t> least;
        for (std::size_t i = 0; i < paths_.size(); ++i)
            for (std::size_t k = 0; k < i; ++k) {
                std::vector<NodeId> common;
                std::ranges::set_intersection(paths_[i], paths_[k], std::back_inserter(common));
                const std::size_t length = paths_[i].size() + paths_[k].size();
                if (common.size() == 1 && (!least || length < *least))
                    least = length;
            }
        return least;
    }

private:
    void go(NodeId node)
    {
        if (node == to_) {
            paths_.emplace_back(path_.begin(), path_.end());
            return;
        }
        for_each_out(arcs_, node, [&](ArcId arc) {
            const NodeId next = arcs_.to(arc);
            if (taken_[next])
                return;
            taken_[next] = true;
            path_.push_back(next);
            go(next);
            path_.pop_back();
            taken_[next] = false;
        });
    }

    const Arcs& arcs_;
    NodeId to_;
    std::vector<bool> taken_;
    std::vector<NodeId> path_;
    std::vector<std::set<NodeId>> paths_;  // their nodes without the first
};

void check_pair(const Arcs& arcs, NodeId from, NodeId to, const std::vector<std::vector<ArcId>>& paths)
{
    std::set<NodeId> inner;
    for (const std::vector<ArcId>& path : paths) {
        NodeId node = from;
        for (const ArcId arc : path) {
            CHECK(arcs.from(arc) == node);
            node = arcs.to(arc);
            if (node != to)
                CHECK(inner.insert(node).second);
        }
        CHECK(node == to);
        CHECK(path.size() >= paths.front().size());
    }
    CHECK_FALSE(inner.contains(from));
}

}  // namespace

TEST_CASE("disjoint paths: no other pair of paths is shorter", "[graphs]")
{
    unsigned separated = 0;
    unsigned pairs = 0;
    for (unsigned seed = 0; seed < smaller(40U, 12U); ++seed) {
        const Arcs arcs(Topology::product({dcube::test::random_graph(seed, 5 + seed % 5)}));
        for (NodeId from = 0; from < arcs.nodes(); ++from)
            for (NodeId to = 0; to < arcs.nodes(); ++to) {
                if (from == to || shortest_path(arcs, from, to).size() == 1)
                    continue;
                CAPTURE(seed, from, to);
                const std::vector<std::vector<ArcId>> paths = two_disjoint_paths(arcs, from, to);
                const std::optional<std::size_t> least = AllPairs(arcs, from, to).least();
                REQUIRE(paths.size() == (least ? 2 : 1));
                check_pair(arcs, from, to, paths);
                if (least)
                    CHECK(paths[0].size() + paths[1].size() == *least);
                ++(least ? pairs : separated);
            }
    }
    CHECK(pairs > 50);
    CHECK(separated > 50);
}

TEST_CASE("disjoint paths: a pair is found although the only shortest path is in neither", "[graphs]")
{
    // The only shortest path from 0 to 5 is 0-1-2-5, and a search that keeps it finds no other.
    const std::vector<std::pair<NodeId, NodeId>> edges{{0, 1}, {1, 2}, {2, 5}, {0, 3}, {3, 6},
                                                       {6, 2}, {1, 4}, {4, 7}, {7, 5}};
    const Arcs arcs(Topology::product({Graph::from_edges("crossed", edges)}));
    const std::vector<std::vector<ArcId>> paths = two_disjoint_paths(arcs, 0, 5);
    REQUIRE(paths.size() == 2);
    check_pair(arcs, 0, 5, paths);
    CHECK(paths[0].size() == 4);
    CHECK(paths[1].size() == 4);
}

TEST_CASE("disjoint paths: a cycle has both its sides, and a path only one", "[graphs]")
{
    const auto sizes = [](const char* name, NodeId from, NodeId to) {
        std::vector<std::size_t> lengths;
        for (const std::vector<ArcId>& path : two_disjoint_paths(Arcs(Topology::parse(name)), from, to))
            lengths.push_back(path.size());
        return lengths;
    };
    CHECK(sizes("ring:9", 0, 3) == std::vector<std::size_t>{3, 6});
    CHECK(sizes("path:9", 1, 5) == std::vector<std::size_t>{4});
    CHECK(sizes("hypercube:5", 0, 31) == std::vector<std::size_t>{5, 5});
    CHECK(sizes("mesh:4x6", 0, 23) == std::vector<std::size_t>{8, 8});
}
