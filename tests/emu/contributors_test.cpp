// Contributors: sets of nodes as the fewest ranges of ids, against sets written out.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/random_draw.hpp"

#include <dcube/contributors.hpp>
#include <dcube/topology.hpp>
#include <dcube/trace.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <vector>

using namespace dcube;

namespace {

using Range = Contributors::Range;
using Ids = std::set<NodeId>;

constexpr NodeId last_id = std::numeric_limits<NodeId>::max();

std::vector<Range> ranges(const Contributors& nodes)
{
    return {nodes.ranges().begin(), nodes.ranges().end()};
}

Contributors made_of(const Ids& ids)
{
    return Contributors::of(std::vector<NodeId>(ids.begin(), ids.end()));
}

Ids drawn(test_support::Draw& draw)
{
    Ids ids;
    for (NodeId id = 0; id < 12; ++id)
        if (draw.chance(50))
            ids.insert(id);
    return ids;
}

}  // namespace

TEST_CASE("contributors are the fewest ranges, in whatever order they are given", "[emu][contributors]")
{
    CHECK(ranges(Contributors({{5, 7}, {0, 0}, {3, 4}})) == std::vector<Range>{{0, 0}, {3, 7}});
    CHECK(ranges(Contributors({{1, 9}, {2, 3}, {9, 12}})) == std::vector<Range>{{1, 12}});
    CHECK(ranges(Contributors::of(std::vector<NodeId>{4, 2, 3, 2, 9})) == std::vector<Range>{{2, 4}, {9, 9}});
    CHECK(ranges(Contributors({{last_id, last_id}, {0, last_id - 1}})) == std::vector<Range>{{0, last_id}});
    CHECK(Contributors({{0, last_id}}).size() == std::uint64_t{1} << 32);
    CHECK(Contributors::all(Topology::hypercube(3)) == Contributors({{0, 7}}));
    CHECK(test_support::error_of([] {
              Contributors({{4, 3}});
          }) == "a range of nodes from 4 to 3 is not possible: the first is at most the last");
}

TEST_CASE("contributors: union, intersection and containment are those of sets", "[emu][contributors]")
{
    test_support::Draw draw(7);
    for (int round = 0; round < 2000; ++round) {
        const Ids a = drawn(draw);
        const Ids b = drawn(draw);
        const Contributors left = made_of(a);
        const Contributors right = made_of(b);
        CAPTURE(to_string(left), to_string(right));
        Ids both;
        Ids common;
        Ids rest;
        std::ranges::set_union(a, b, std::inserter(both, both.end()));
        std::ranges::set_intersection(a, b, std::inserter(common, common.end()));
        std::ranges::set_difference(a, b, std::inserter(rest, rest.end()));
        const auto first = [](const Ids& ids) { return ids.empty() ? std::nullopt : std::optional(*ids.begin()); };
        Contributors united = left;
        united.unite(right);
        Contributors removed = left;
        removed.remove(right);
        REQUIRE(united == made_of(both));
        REQUIRE(removed == made_of(rest));
        REQUIRE(left.size() == a.size());
        REQUIRE(left.first_common(right) == first(common));
        REQUIRE(left.disjoint(right) == common.empty());
        REQUIRE(left.first_not_in(right) == first(rest));
        REQUIRE(right.contains(left) == rest.empty());
        for (NodeId id = 0; id < 13; ++id)
            REQUIRE(left.contains(id) == a.contains(id));
        for (std::size_t i = 1; i < left.ranges().size(); ++i)
            REQUIRE(left.ranges()[i - 1].last + 1 < left.ranges()[i].first);
    }
}

TEST_CASE("contributors: the text lists ranges, and shortens long lists", "[emu][contributors]")
{
    CHECK(to_string(Contributors()) == "no node");
    CHECK(to_string(Contributors(3)) == "node 3");
    CHECK(to_string(Contributors({{3, 4}})) == "nodes 3-4");
    CHECK(to_string(Contributors({{0, 0}, {3, 3}, {5, 7}})) == "nodes 0, 3 and 5-7");
    std::vector<NodeId> even;
    for (NodeId id = 0; id < 64; id += 2)
        even.push_back(id);
    CHECK(to_string(Contributors::of(even)) == "nodes 0, 2, 4, 6, 8, 10, 12, 14 and 24 more");
}

TEST_CASE("pieces are equal if the same nodes are told to be in them", "[emu][contributors]")
{
    const auto of = [](const Contributors& nodes) {
        return Piece{{}, {}, 0, 4, std::make_shared<const Contributors>(nodes)};
    };
    CHECK(of(Contributors(3)) == of(Contributors(3)));
    CHECK_FALSE(of(Contributors(3)) == of(Contributors(4)));
    CHECK_FALSE(of(Contributors(3)) == Piece{{}, {}, 0, 4});
    CHECK(Piece{{}, {}, 0, 4} == Piece{{}, {}, 0, 4});
}
