// Networks whose nodes or links differ: what their texts say, and what machines make of it.

#include "base/files.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/error.hpp>
#include <dcube/machine.hpp>
#include <dcube/topology.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

using namespace dcube;
using test_support::error_of;

namespace {

Topology drawn(const std::string& text)
{
    return Topology::product({Graph::from_text("drawn", text)});
}

std::string why_not(const std::string& text)
{
    return error_of([&] { drawn(text); });
}

LinkModel bound_links(Rational tau, Rational beta)
{
    return {.kind = LinkKind::link_bound, .tau = tau, .beta = beta};
}

}  // namespace

TEST_CASE("fabric: an edge list has switches, and times of links", "[emu][fabric]")
{
    const Topology star = drawn("0 3 1/2 10  # a link with times of its own\n1 3\n2 3 0.25 1e1\nswitch 3\n");
    CHECK(star.nodes() == 4);
    CHECK(star.members() == 3);
    CHECK(star.lacks_nodes());
    CHECK_FALSE(star.is_uniform());
    CHECK_FALSE(star.is_hypercube());
    CHECK_FALSE(star.symmetric());
    CHECK(star.recognised() == nullptr);
    CHECK(star.is_switch(3));
    CHECK_FALSE(star.is_member(3));
    CHECK_FALSE(star.is_missing(3));
    CHECK(star.member(2) == 2);
    CHECK(star.fabric() == Fabric{.switches = {3}, .links = {{0, 3, {1, 2}, {10, 1}}, {2, 3, {1, 4}, {10, 1}}}});
    CHECK(star.ticks_per_ns() == 4);
    CHECK_FALSE(star.times_all_links());
    REQUIRE(star.timed_link(3, 0));
    CHECK(star.timed_link(3, 0)->tau == Rational{1, 2});
    CHECK(star.timed_link(0, 0) == star.timed_link(3, 0));
    CHECK(star.timed_link(1, 0) == nullptr);
    CHECK(star.status(0) == 4);  // of the two other members
    CHECK(drawn("0 3 1/2 10\n3 0 1/2 10\n1 3\n3 1\n2 3 1/4 10\n3 2 1/4 10\nswitch 3").fabric() == star.fabric());
    CHECK_FALSE(drawn("0 3\n1 3\n2 3\n") == star);
    const Topology gaps = drawn("10 40 1/2 10\n20 40\n30 40 1/4 10\nswitch 40\n");
    CHECK(gaps.fabric() == star.fabric());
    CHECK(Topology::hypercube(1) == drawn("0 1\n"));
    CHECK_FALSE(Topology::hypercube(1) == drawn("0 1 2 3\n"));
}

TEST_CASE("fabric: what an edge list cannot say is refused, with its line", "[emu][fabric][negative]")
{
    const auto begins = [](const std::string& error, const std::string& with) {
        CAPTURE(error, with);
        CHECK(error.starts_with(with));
    };
    begins(why_not("0 1\n1 2 5\n"), "drawn, line 2: '5' stands behind an edge: an edge is two node numbers");
    begins(why_not("0 1 2 3 4\n"), "drawn, line 1: '2' stands behind an edge");
    begins(why_not("0 1 x 3\n"), "drawn, line 1: 'x' is not possible: expected a number from 0");
    begins(why_not("0 1 1 -3\n"), "drawn, line 1: '-3' is not possible");
    begins(why_not("0 1 1 3\n1 0 1 4\n"),
           "drawn, line 2: the link between nodes 1 and 0 has other times than in line 1");
    begins(why_not("0 1\n1 2\nswitch a\n"), "drawn, line 3: 'a' is not a switch");
    begins(why_not("0 1\n1 2\nswitch\n"), "drawn, line 3: names no switch");
    begins(why_not("0 1\n1 2\nswitch 7\n"), "drawn has no node 7, which is to be a switch");
    begins(why_not("0 1\n1 2\nswitch 1 1\n"), "drawn: node 1 is named as a switch twice");
    begins(why_not("0 1\n1 2\nswitch 0 1\n"), "drawn has 2 switches among 3 nodes: 2 nodes or more that are none");
    CHECK(error_of([] { Topology::parse("dgx-1*path:4"); }) ==
          "dgx-1 has switches, or links with times of their own: it is no factor of a product");
    CHECK(error_of([] {
              fabric_from_lines("0 1\n");
          }).starts_with("the list of links, line 1: the link between nodes 0 and 1 has no times"));
    CHECK(error_of([] { Topology::parse("ring:5 with 0-2:1:1"); }) ==
          "ring:5 with 0-2:1:1 has no link 0-2: a link with times of its own is between two neighbours");
    CHECK(error_of([] {
              Topology::parse("ring:5 with 0-1:x:5");
          }).starts_with("0-1:x:5: 'x' is not possible: expected a number"));
    CHECK(error_of([] { Topology::parse("ring:5 with 0-1"); }) ==
          "'0-1' is neither a link with its ns per byte and per packet, such as 0-1:0.04:1300, nor a switch such as 8");
    CHECK(error_of([] { Topology::parse("mesh:80x80 with 0"); }).find("6400 nodes") != std::string::npos);
}

TEST_CASE("fabric: a network's name says what differs, with and without faults", "[emu][fabric]")
{
    const Topology ring = Topology::parse("ring:6").with({.switches = {5}, .links = {{1, 0, {2, 1}, {1, 3}}}});
    CHECK(ring.name() == "ring:6 with 1-0:2:1/3,5");
    CHECK(Topology::parse(ring.name()) == ring);
    CHECK(parse_fabric("0-1:2:500,9") == Fabric{.switches = {9}, .links = {{0, 1, {2, 1}, {500, 1}}}});
    CHECK(to_string(parse_fabric("0-1:2:500,9")) == "0-1:2:500,9");
    const Topology changed = ring.with({.links = {{0, 1, {7, 1}, {0, 1}}}});
    CHECK(changed.fabric().links == std::vector<TimedLink>{{0, 1, {7, 1}, {0, 1}}});
    const Topology rest = ring.without({.links = {{2, 3}}});
    CHECK(rest.name() == "ring:6 with 1-0:2:1/3,5 without 2-3");
    CHECK(Topology::parse(rest.name()) == rest);
    CHECK(rest.fabric() == ring.fabric());
    CHECK(rest.members() == 5);
    CHECK(&rest.of_members() == &rest);  // a switch has to stay
    const Topology fewer = Topology::parse("ring:6 with 1-2:3:4 without 0");
    CHECK(fewer.of_members().fabric().links == std::vector<TimedLink>{{0, 1, {3, 1}, {4, 1}}});
    CHECK(fewer.is_missing(0));
    CHECK(Topology::parse("ring:6 without 3").with({.links = {{0, 1, {1, 1}, {1, 1}}}}).name() ==
          "ring:6 with 0-1:1:1 without 3");
    CHECK(Topology::parse("ring:6").with({}) == Topology::parse("ring:6"));
    CHECK(Topology::parse("path:4 with 0-1:1:1,1-2:1:1,2-3:1:1").times_all_links());
}

TEST_CASE("fabric: known networks have the nodes and links of their sources", "[emu][fabric]")
{
    const Topology dgx = Topology::parse("dgx-1");
    CHECK(dgx.members() == 8);
    CHECK(dgx.directed_links() == 2 * 16);
    CHECK(dgx.times_all_links());
    std::size_t of_two = 0;
    for (const TimedLink& link : dgx.fabric().links)
        of_two += link.tau == Rational{23, 1000} ? 1 : 0;
    CHECK(of_two == 8);
    for (NodeId gpu = 0; gpu < 8; ++gpu)
        CHECK(dgx.ports(gpu) == 4);
    const Topology hosts = Topology::parse("dgx-a100:2");
    CHECK(hosts.members() == 16);
    CHECK(hosts.nodes() == 16 + 2 + 2);
    CHECK(hosts.distance(0, 7) == 2);
    CHECK(hosts.distance(0, 8) == 2);
    CHECK(hosts.distance(0, 9) == 4);  // another InfiniBand switch: on by the NVSwitch
    CHECK(Topology::parse("dgx-a100:1").nodes() == 9);
    const Topology tree = Topology::parse("fat-tree:4");
    CHECK(tree.members() == 16);
    CHECK(tree.nodes() == 16 + 20);
    CHECK(tree.directed_links() == 2 * (16 + 16 + 16));
    CHECK(tree.distance(0, 1) == 2);
    CHECK(tree.distance(0, 2) == 4);
    CHECK(tree.distance(0, 15) == 6);
    const Topology fly = Topology::parse("dragonfly:2,4,2");
    CHECK(fly.members() == 72);
    CHECK(fly.nodes() == 72 + 36);
    for (NodeId router = 72; router < fly.nodes(); ++router)
        CHECK(fly.ports(router) == 2 + 3 + 2);
    for (NodeId host = 0; host < 72; ++host)
        CHECK(fly.distance(0, host) <= 5);
    for (const char* const wrong : {"dgx-1:2", "dgx-a100:0", "dgx-a100", "fat-tree:3", "fat-tree:18", "dragonfly:2,4",
                                    "dragonfly:0,1,1", "dragonfly:16,16,16"})
        CHECK_FALSE(error_of([&] { Topology::parse(wrong); }).empty());
}

TEST_CASE("fabric: a machine's packets take their links' own times, and switches pass them on", "[emu][fabric]")
{
    const Topology topology = Topology::parse("path:3 with 0-1:2:5,1");  // node 1 is a switch
    MachineOptions options{.threads = 2};
    options.link = bound_links({3, 2}, {7, 1});
    Machine machine(topology, options);
    CHECK(machine.link().ticks_per_ns() == 2);
    std::array<std::byte, 4> got{};
    const std::array<std::byte, 4> sent{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
    const Counts counts = machine.run([&](Node& me) -> Task {
        return [](Node& me, std::span<const std::byte> from, std::span<std::byte> into) -> Task {
            if (me.id() == 0)
                me.send(0, from);
            co_await me.next_step();
            if (me.id() == 1) {
                const BorrowedPacket packet = me.receive(0);
                const std::span<std::byte> kept = me.allocate(4);
                me.copy(kept, packet);
                const Packet again{kept, 0, packet.usable};
                me.send(1, again);
            }
            co_await me.next_step();
            if (me.id() == 2)
                me.receive(0, into);
        }(me, sent, got);
    });
    CHECK(got == sent);
    CHECK(counts.virtual_time == 2 * ((2 * 4 + 5) + (3 * 4 / 2 + 7)));
    std::atomic<NodeId> sum_of_ids = 0;
    machine.for_each_node([&](NodeId node) { sum_of_ids += 1 + node; });
    CHECK(sum_of_ids == 1 + 3);
}

TEST_CASE("fabric: unit links are refused where links have times of their own", "[emu][fabric][negative]")
{
    CHECK(error_of([] { Machine machine(Topology::parse("dgx-1"), {.threads = 1}); }) ==
          "link_model unit is not possible: links of dgx-1 have times of their own, which differ");
    CHECK(error_of([] {
              MachineOptions options{.threads = 1};
              options.link = bound_links({1, 3}, {0, 1});
              Machine machine(Topology::parse("path:3 with 0-1:1/4294967291:1"), options);
          }).find("no common denominator") != std::string::npos);
}
