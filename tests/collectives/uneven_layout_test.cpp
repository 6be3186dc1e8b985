// Where uneven messages lie: one behind the other, in the order of the nodes.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/group.hpp>
#include <dcube/layout.hpp>
#include <dcube/message_counts.hpp>

#include <numeric>
#include <string>
#include <vector>

using namespace dcube;
using test_support::error_of;

namespace {

constexpr std::size_t packet = 8;

Problem uneven(Collective collective, std::vector<std::uint32_t> counts, NodeId root = 0)
{
    Problem problem{.collective = collective, .bytes = packet, .root = root};
    problem.counts = std::move(counts);
    return problem;
}

std::vector<std::size_t> offsets(const Layout& layout, NodeId nodes, bool of_input)
{
    std::vector<std::size_t> all;
    for (NodeId node = 0; node < nodes; ++node)
        all.push_back((of_input ? layout.input(node) : layout.output(node)).offset / packet);
    return all;
}

using Sizes = std::vector<std::size_t>;

// Messages are between the nodes of a group, which are so many.
void check_same(const Layout& a, const Layout& b, NodeId nodes, NodeId together)
{
    CHECK(a.input_bytes == b.input_bytes);
    CHECK(a.output_bytes == b.output_bytes);
    for (NodeId node = 0; node < nodes; ++node) {
        CHECK(a.input(node).bytes == b.input(node).bytes);
        CHECK(a.output(node).bytes == b.output(node).bytes);
        if (a.input(node).bytes != 0)
            CHECK(a.input(node).offset == b.input(node).offset);
        if (a.output(node).bytes != 0)
            CHECK(a.output(node).offset == b.output(node).offset);
        for (NodeId other = 0; other < together; ++other) {
            CHECK(a.from_input(node, other).offset == b.from_input(node, other).offset);
            CHECK(a.into_output(node, other).offset == b.into_output(node, other).offset);
        }
    }
}

}  // namespace

TEST_CASE("layout: an uneven all-to-all has rows of input and columns of output", "[layout][uneven]")
{
    const Topology ring = Topology::parse("ring:3");
    const Layout layout(uneven(Collective::all_to_all, {1, 2, 0, 0, 0, 5, 3, 1, 1}), ring);
    CHECK(layout.input_bytes == 13 * packet);
    CHECK(layout.output_bytes == 13 * packet);
    CHECK(offsets(layout, 3, true) == Sizes{0, 3, 8});
    CHECK(offsets(layout, 3, false) == Sizes{0, 4, 7});
    CHECK(layout.from_input(1, 2).offset == 0);
    CHECK(layout.from_input(1, 2).bytes == 5 * packet);
    CHECK(layout.from_input(2, 1).offset == 3 * packet);
    CHECK(layout.into_output(0, 2).offset == 1 * packet);
    CHECK(layout.into_output(2, 1).bytes == 5 * packet);
    CHECK(layout.into_output(0, 1).bytes == 0);
}

TEST_CASE("layout: displacements are the sums of the counts before, for every collective", "[layout][uneven]")
{
    const Topology cube = Topology::hypercube(3);
    const std::vector<std::uint32_t> counts = counts_by_law("poisson:3", Collective::gather, cube);
    const std::size_t all = std::reduce(counts.begin(), counts.end(), std::size_t{0});
    for (const Collective collective :
         {Collective::scatter, Collective::gather, Collective::all_gather, Collective::reduce_scatter}) {
        CAPTURE(name(collective));
        const Layout layout(uneven(collective, counts, 5), cube);
        const bool many_before = traits(collective).before.share == Share::message_per_node;
        std::size_t before = 0;
        for (NodeId node = 0; node < 8; ++node) {
            const Layout::Part part = many_before ? layout.from_input(5, node) : layout.into_output(5, node);
            CHECK(part.offset == before * packet);
            CHECK(part.bytes == counts[node] * packet);
            const Layout::Part own = many_before ? layout.output(node) : layout.input(node);
            CHECK(own.offset == before * packet);
            CHECK(own.bytes == counts[node] * packet);
            before += counts[node];
        }
        const std::size_t times = has_root(collective) ? 1 : 8;
        CHECK((many_before ? layout.input_bytes : layout.output_bytes) == times * all * packet);
    }
}

TEST_CASE("layout: counts that are all equal give the layout without counts", "[layout][uneven]")
{
    const Topology torus = Topology::parse("torus:3x3");
    const std::vector<std::vector<unsigned>> groups_within{{}, {0}, {1}};  // at first all nodes together
    for (const Collective collective : {Collective::scatter, Collective::gather, Collective::all_gather,
                                        Collective::reduce_scatter, Collective::all_to_all})
        for (const std::vector<unsigned>& within : groups_within) {
            Problem even{.collective = collective, .bytes = packet, .packets = 3, .root = 2};
            even.within = within;
            Problem same = even;
            same.packets = 1;
            const auto groups = groups_of(even, torus);
            same.counts.assign(counts_needed(collective, groups ? groups->network() : torus), 3);
            for (const bool in_place : {false, true}) {
                if (in_place && !is_in_place_possible(collective))
                    continue;
                same.in_place = even.in_place = in_place;
                CAPTURE(name(collective), in_place, within_text(within));
                check_same(Layout(same, torus), Layout(even, torus), 9, groups ? 3 : 9);
            }
        }
}

TEST_CASE("layout: the parts of a rank's nodes follow each other", "[layout][uneven]")
{
    const Topology ring = Topology::parse("ring:3");
    const Layout whole(uneven(Collective::all_to_all, {1, 2, 0, 0, 0, 5, 3, 1, 1}), ring);
    const Layout own = whole.of({1, 3});
    CHECK(own.input_bytes == 10 * packet);
    CHECK(own.output_bytes == 9 * packet);
    CHECK(own.input(1).offset == 0);
    CHECK(own.input(2).offset == 5 * packet);
    CHECK(own.first_input == 3 * packet);
}

TEST_CASE("layout: in place a node's message lies where the others find it", "[layout][uneven]")
{
    const Topology ring = Topology::parse("ring:3");
    Problem gather = uneven(Collective::all_gather, {2, 0, 3});
    gather.in_place = true;
    const Layout layout(gather, ring);
    CHECK(layout.input_bytes == 15 * packet);
    CHECK(offsets(layout, 3, true) == Sizes{0, 7, 12});
    CHECK(layout.input(2).bytes == 3 * packet);
}

TEST_CASE("layout: counts that do not fit a problem are refused", "[layout][uneven][negative]")
{
    const Topology ring = Topology::parse("ring:3");
    const auto why = [&](const Problem& problem) { return error_of([&] { validate(problem, ring); }); };
    CHECK(why(uneven(Collective::gather, {1, 2})) == "counts: 2 numbers are given: gather of ring:3 needs 3");
    CHECK(why(uneven(Collective::all_to_all, {1, 2, 3})) ==
          "counts: 3 numbers are given: all-to-all of ring:3 needs 3 x 3");
    CHECK(why(uneven(Collective::broadcast, {1, 2, 3})) == "counts does not apply to broadcast");
    Problem both = uneven(Collective::gather, {1, 2, 3});
    both.packets = 2;
    CHECK(why(both) == "packets 2 cannot be combined with counts, which says how many packets every message has");
    Problem in_place = uneven(Collective::all_to_all, {0, 1, 1, 1, 0, 2, 1, 1, 0});
    in_place.in_place = true;
    CHECK(why(in_place) == "in_place needs as many packets from node 2 to node 1 as from 1 to 2: expected 2, got 1");
    const Topology broken = Topology::parse("hypercube:2 without 3");
    CHECK(error_of([&] {
              validate(uneven(Collective::gather, {1, 1, 1, 1}), broken);
          }) == "counts: node 3 is missing: its counts must be 0");
}
