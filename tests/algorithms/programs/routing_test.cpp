#include "algorithms/programs/routing.hpp"
#include "tests/support/catch.hpp"

#include <dcube/topology.hpp>

#include <array>
#include <tuple>
#include <utility>
#include <vector>

using namespace dcube;
using namespace dcube::detail;

namespace {

using Rows = std::vector<std::tuple<std::uint64_t, std::size_t, std::size_t>>;

Rows rows(const Fragments& fragments)
{
    Rows all;
    for (const auto& [message, offset, length] : fragments)
        all.emplace_back(message, offset, length);
    return all;
}

Rows packet(const Routing& routing, Step stage, NodeId from, Port port)
{
    Fragments fragments;
    routing.packet(stage, from, port, fragments);
    return rows(fragments);
}

// On the 2-cube: 0 sends bytes 0..3 of message 7 to 1, which sends them on to 3.
Routing two_hops()
{
    RoutingTable table(Topology::hypercube(2));
    table.add(0, 0, 0, {7, 0, 4});
    table.add(1, 1, 1, {7, 0, 4});
    return std::move(table).routing();
}

}  // namespace

TEST_CASE("appended fragments are joined where they continue, and empty ones vanish", "[routing]")
{
    Fragments fragments;
    append(fragments, {1, 0, 4});
    append(fragments, {1, 4, 2});
    append(fragments, {1, 8, 0});
    append(fragments, {1, 7, 1});
    append(fragments, {2, 8, 1});
    CHECK(rows(fragments) == Rows{{1, 0, 6}, {1, 7, 1}, {2, 8, 1}});
    CHECK(length(fragments) == 8);
}

TEST_CASE("a substring of fragments has their bytes, cut at both ends", "[routing]")
{
    const Fragments string{{1, 10, 4}, {2, 0, 3}, {3, 5, 2}};
    CHECK(rows(substring(string, 0, 9)) == rows(string));
    CHECK(rows(substring(string, 3, 5)) == Rows{{1, 13, 1}, {2, 0, 3}, {3, 5, 1}});
    CHECK(rows(substring(string, 5, 1)) == Rows{{2, 1, 1}});
    CHECK(substring(string, 4, 0).empty());
    CHECK(substring(string, 9, 5).empty());
}

TEST_CASE("a routing table is read link by link, and its packets are counted", "[routing]")
{
    const Routing routing = two_hops();
    CHECK(routing.stages == 2);
    CHECK(packet(routing, 0, 0, 0) == Rows{{7, 0, 4}});
    CHECK(packet(routing, 0, 0, 1).empty());
    CHECK(packet(routing, 1, 1, 1) == Rows{{7, 0, 4}});
    CHECK(packets(routing, Topology::hypercube(2)) == 2);
}

TEST_CASE("tables are put together with their stages moved", "[routing]")
{
    const Topology cube = Topology::hypercube(1);
    RoutingTable inner(cube);
    inner.add(0, 0, 0, {1, 0, 2});
    inner.add(1, 1, 0, {2, 0, 2});
    RoutingTable table(cube);
    table.add(3, 1, 0, Fragment{5, 0, 1});
    table.add_all(inner, std::array<Step, 2>{0, 3});
    const Routing routing = std::move(table).routing();
    CHECK(routing.stages == 4);
    CHECK(packet(routing, 0, 0, 0) == Rows{{1, 0, 2}});
    CHECK(packet(routing, 3, 1, 0) == Rows{{5, 0, 1}, {2, 0, 2}});
}

TEST_CASE("a reversed routing sends every packet back, the last stage first", "[routing]")
{
    const Routing back = reversed(two_hops(), Arrival::added);
    CHECK(back.stages == 2);
    CHECK(back.adding_stages == 2);
    CHECK(packet(back, 0, 3, 1) == Rows{{7, 0, 4}});
    CHECK(packet(back, 1, 1, 0) == Rows{{7, 0, 4}});
    CHECK(packet(back, 0, 0, 0).empty());
    CHECK(reversed(two_hops(), Arrival::kept).adding_stages == 0);
}

TEST_CASE("a routing for another root moves every sender, and the messages where they are nodes", "[routing]")
{
    const Routing moved = translated(two_hops(), 2, false);
    CHECK(packet(moved, 0, 2, 0) == Rows{{7, 0, 4}});
    CHECK(packet(moved, 1, 3, 1) == Rows{{7, 0, 4}});
    CHECK(packet(moved, 0, 0, 0).empty());
    CHECK(packet(translated(two_hops(), 2, true), 0, 2, 0) == Rows{{5, 0, 4}});
}

TEST_CASE("one routing follows another in later stages, and sums where it did", "[routing]")
{
    const Routing both = followed_by(reversed(two_hops(), Arrival::added), two_hops());
    CHECK(both.stages == 4);
    CHECK(both.adding_stages == 2);
    CHECK(packet(both, 1, 1, 0) == Rows{{7, 0, 4}});
    CHECK(packet(both, 2, 0, 0) == Rows{{7, 0, 4}});
    CHECK(followed_by(two_hops(), reversed(two_hops(), Arrival::added)).adding_stages == 4);
}
