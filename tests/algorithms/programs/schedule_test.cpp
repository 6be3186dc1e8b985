#include "algorithms/programs/schedule.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

using namespace dcube;
using namespace dcube::detail;

namespace {

using Row = std::tuple<Step, NodeId, Port, NodeId, NodeId, std::uint32_t, Arrival>;

std::vector<Row> rows(const Schedule& schedule)
{
    std::vector<Row> all;
    for (const Hop& hop : schedule.hops)
        all.emplace_back(hop.step, hop.from, hop.port, hop.packet.origin, hop.packet.target, hop.packet.copy,
                         hop.arrival);
    std::ranges::sort(all);
    return all;
}

// A packet from 0 over 1 to 3.
Schedule path()
{
    return {Symmetry::none, 2, {{1, 0, 0, {0, 3, 0}}, {2, 1, 1, {0, 3, 0}}}};
}

}  // namespace

TEST_CASE("a reversed schedule takes the same hops back, in opposite order", "[schedule]")
{
    const Topology cube = Topology::hypercube(2);
    const Schedule back = reversed(cube, path(), Arrival::added);
    CHECK(back.steps == 2);
    CHECK(rows(back) == std::vector<Row>{{1, 3, 1, 3, 0, 0, Arrival::added}, {2, 1, 0, 3, 0, 0, Arrival::added}});
    CHECK(rows(reversed(cube, back, Arrival::kept)) == rows(path()));
}

TEST_CASE("a translated schedule is reversed as seen from node 0", "[schedule]")
{
    // In a ring node 0 hands packet (4, 2) on to 1. Backwards 1 hands (2, 4) to 0, which is (1, 3) as 1 sees it.
    const Topology ring = Topology::parse("ring:5");
    const Port up = ring.neighbour(0, 0) == 1 ? 0 : 1;
    const Schedule schedule{Symmetry::translated, 3, {{2, 0, up, {4, 2, 0}}}};
    const Schedule back = reversed(ring, schedule, Arrival::kept);
    REQUIRE(back.hops.size() == 1);
    CHECK(rows(back) == std::vector<Row>{{2, 0, 1 - up, 1, 3, 0, Arrival::kept}});
    CHECK(rows(reversed(ring, back, Arrival::kept)) == rows(schedule));
}

TEST_CASE("a hop of node 0 is every node's under a translation", "[schedule]")
{
    const Hop hop = translated(Topology::hypercube(3), {1, 0, 2, {1, 6, 4}}, 5);
    CHECK(hop.from == 5);
    CHECK(hop.port == 2);
    CHECK(hop.packet == PacketName{4, 3, 4});
}

TEST_CASE("one schedule follows another in later steps", "[schedule]")
{
    const Schedule both = followed_by(path(), path());
    CHECK(both.steps == 4);
    CHECK(both.hops.size() == 4);
    CHECK(both.hops[2].step == 3);
    CHECK(both.hops[3].step == 4);
    CHECK(both.hops[3].from == 1);
}

TEST_CASE("hops in order of their steps keep their order within a step", "[schedule]")
{
    Schedule schedule = path();
    schedule.hops = {{2, 0, 0, {}}, {1, 3, 0, {}}, {2, 1, 0, {}}, {1, 2, 0, {}}};
    std::vector<NodeId> senders;
    for (const Hop& hop : in_order(schedule).hops)
        senders.push_back(hop.from);
    CHECK(senders == std::vector<NodeId>{3, 2, 0, 1});
}

TEST_CASE("a node's kind says in which digits it is odd", "[schedule]")
{
    const Topology torus = Topology::parse("torus:4x6");
    const std::vector<unsigned> alternating{0, 1};
    for (NodeId kind = 0; kind < 4; ++kind)
        CHECK(kind_of(torus, alternating, least_of_kind(torus, alternating, kind)) == kind);
    CHECK(kind_of(torus, {1}, 2 * torus.stride(1)) == 0);
    CHECK(kind_of(torus, {1}, 3 * torus.stride(1)) == 1);
}
