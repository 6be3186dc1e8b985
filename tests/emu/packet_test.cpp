// Packets that may be sent: bytes of a node's own, no earlier than they can be there.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/links.hpp"
#include "tests/support/small_programs.hpp"

#include <dcube/machine.hpp>

#include <array>
#include <concepts>
#include <ranges>
#include <vector>

using namespace dcube;
using namespace test_support;

namespace {

using Bytes = std::span<const std::byte>;

template <class Sent>
concept can_be_sent = requires(Node& me, const Sent& sent)
{
    me.send(1, sent);
};

template <class AnyNode>
concept forwards_a_view = requires(AnyNode& me)
{
    me.send(1, me.receive(0));
};
template <class AnyNode>
concept forwards_what_it_peeked_at = requires(AnyNode& me)
{
    me.send(1, me.peek(0));
};
template <class AnyNode>
concept forwards_parts = requires(AnyNode& me)
{
    me.send(1, me.receive_joined(0));
};
template <class AnyNode>
concept forwards_a_part = requires(AnyNode& me)
{
    me.send(1, me.receive_joined(0)[0], 7);
};
template <class AnyNode>
concept forwards_its_copy = requires(AnyNode& me, std::span<std::byte> mine)
{
    me.send(1, me.receive(0, mine));
};

template <class View>
constexpr bool is_no_span =
    !std::convertible_to<View, Bytes> && !std::constructible_from<Bytes, View> && !std::ranges::range<View>;

// Along a path of three nodes, tau 1 and beta 100: eight bytes take 108.
Time time_of(const Machine::Program& program)
{
    std::optional<Time> first;
    for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc})
        for (const bool watched : {false, true}) {
            MachineOptions options{.link = link_bound(1, 100), .channel = channel, .watch_lent_bytes = watched};
            Machine machine(Topology::parse("path:3"), options);
            const Time time = machine.run(program).virtual_time;
            CHECK(time == first.value_or(time));
            first = time;
        }
    return *first;
}

}  // namespace

TEST_CASE("what another node has lent cannot be sent on: it must be received into memory of one's own", "[emu]")
{
    CHECK(can_be_sent<Bytes>);
    CHECK(can_be_sent<std::vector<std::byte>>);
    CHECK(can_be_sent<Packet>);
    CHECK(can_be_sent<JoinedPacket>);
    CHECK_FALSE(can_be_sent<BorrowedBytes>);
    CHECK_FALSE(can_be_sent<BorrowedPacket>);
    CHECK_FALSE(can_be_sent<BorrowedParts>);
    CHECK_FALSE(forwards_a_view<Node>);
    CHECK_FALSE(forwards_what_it_peeked_at<Node>);
    CHECK_FALSE(forwards_parts<Node>);
    CHECK_FALSE(forwards_a_part<Node>);
    CHECK(forwards_its_copy<Node>);
    CHECK(is_no_span<BorrowedBytes>);
    CHECK(is_no_span<BorrowedPacket>);
    CHECK(is_no_span<BorrowedParts>);
    CHECK_FALSE(std::convertible_to<BorrowedPacket, Packet>);
    CHECK_FALSE(std::convertible_to<BorrowedParts, JoinedPacket>);
}

TEST_CASE("what another node has lent can be read, copied and added up", "[emu]")
{
    Machine machine(Topology::hypercube(1));
    static const std::array<std::byte, 3> sent{std::byte{1}, std::byte{2}, std::byte{3}};
    static const std::array<Bytes, 2> parts{Bytes(sent).last(1), Bytes(sent).first(2)};
    std::array<std::array<std::byte, 3>, 2> copied{};
    std::array<bool, 2> right{};
    machine.run([&](Node& me) -> Task {
        if (me.id() == 0)
            me.send(0, sent, 9);
        else
            me.send(0, JoinedPacket{parts});
        co_await me.next_step();
        std::array<std::byte, 3>& mine = copied[me.id()];
        if (me.id() == 1) {
            const BorrowedPacket packet = me.receive(0);
            me.copy(mine, packet);
            right[1] = packet.size() == 3 && packet[2] == std::byte{3} && packet.data() == sent.data() &&
                       packet.header == 9 && packet.part(1, 2)[0] == std::byte{2};
        } else {
            const BorrowedParts packet = me.receive_joined(0);
            me.copy(std::span(mine).first(1), packet[0]);
            me.copy(std::span(mine).last(2), packet[1]);
            right[0] = packet.size() == 2 && packet[1].size() == 2;
        }
    });
    CHECK(right == std::array{true, true});
    CHECK(copied[1] == sent);
    CHECK(copied[0] == std::array{std::byte{3}, std::byte{1}, std::byte{2}});
}

TEST_CASE("combining without an operation is reported with the node and the step", "[emu][negative]")
{
    Machine machine(Topology::hypercube(1));
    std::array<std::byte, 8> sum{};
    CHECK_THAT(test_support::error_of([&] {
                   machine.run([&](Node& me) -> Task {
                       me.combine(sum, sum, sum, nullptr);
                       co_return;
                   });
               }),
               Catch::Contains("node 0 failed in step 1: there is no operation to combine with"));
    CHECK_THAT(test_support::error_of([&] {
                   machine.run([&](Node& me) -> Task {
                       me.send(0, sum);
                       co_await me.next_step();
                       me.receive(0, sum, sum, nullptr);
                   });
               }),
               Catch::Contains("node 0 failed in step 2: there is no operation to combine with"));
}

TEST_CASE("a program cannot make a time of its own", "[emu]")
{
    CHECK_FALSE(std::constructible_from<Usable, Time>);
    CHECK_FALSE(std::constructible_from<Usable, int>);
    CHECK_FALSE(std::convertible_to<int, Usable>);
    CHECK_FALSE(std::assignable_from<Usable&, Time>);
    CHECK_FALSE(Usable{}.known());
    CHECK(std::copyable<Usable>);
}

TEST_CASE("link: a packet sent on without its arrival time leaves no earlier than anything that came", "[emu][link]")
{
    const auto passes_on = [](Node& me) -> Task {
        if (me.id() == 0)
            me.send(0, eight);
        co_await me.next_step();
        if (me.id() == 1) {
            const std::span<std::byte> mine = me.allocate(8);
            me.receive(0, mine);
            me.send(1, mine);  // no packet, no time
        }
        co_await me.next_step();
        if (me.id() == 2)
            me.receive(0);
    };
    CHECK(time_of(passes_on) == 2 * 108);
}

TEST_CASE("link: a packet that was only peeked at counts as having come", "[emu][link]")
{
    const auto peeks = [](Node& me) -> Task {
        if (me.id() == 0)
            me.send(0, eight);
        co_await me.next_step();
        if (me.id() == 1) {
            const std::span<std::byte> mine = me.allocate(8);
            me.copy(mine, me.peek(0));
            me.send(1, mine);
        }
        co_await me.next_step();
        if (me.id() > 0)
            me.receive(0);
    };
    CHECK(time_of(peeks) == 2 * 108);
}

TEST_CASE("link: data that a node held from the start leave at time 0 if the program says so", "[emu][link]")
{
    for (const bool says_so : {false, true}) {
        const auto sends_its_own = [says_so](Node& me) -> Task {
            const Usable begun = me.usable_now();
            if (me.id() == 0)
                me.send(0, eight);
            co_await me.next_step();
            if (me.id() == 1) {
                me.receive(0);
                me.send(1, eight, 0, says_so ? begun : Usable{});
            }
            co_await me.next_step();
            if (me.id() == 2)
                me.receive(0);
        };
        CHECK(time_of(sends_its_own) == (says_so ? 108 : 216));
    }
}

TEST_CASE("link: each of several packets keeps its own time", "[emu][link]")
{
    const auto forwards_the_first = [](Node& me) -> Task {
        if (me.id() == 0) {
            me.send(0, eight);  // arrives at 108
            co_await me.next_step();
            me.send(0, eight);  // arrives at 216
        }
        if (me.id() == 1) {
            co_await me.next_step();
            const Packet first = me.receive(0, me.allocate(8));
            co_await me.next_step();
            me.receive(0);
            me.send(1, first);
        }
        if (me.id() == 2) {
            co_await me.arrival(0);
            if (me.receive(0).usable.ticks() != 216)
                throw std::runtime_error("the first packet waited for the second");
        }
    };
    CHECK(time_of(forwards_the_first) == 216);
}

TEST_CASE("link: a joined packet of bytes without a time is as late as anything that came", "[emu][link]")
{
    static const std::array<Bytes, 2> parts{Bytes(eight).first(3), Bytes(eight).last(5)};
    const auto joins = [](Node& me) -> Task {
        if (me.id() == 0)
            me.send(0, eight);
        co_await me.next_step();
        if (me.id() == 1) {
            me.receive(0);
            me.send(1, JoinedPacket{parts});
        }
        co_await me.next_step();
        if (me.id() == 2)
            me.receive_joined(0);
    };
    CHECK(time_of(joins) == 216);
}
