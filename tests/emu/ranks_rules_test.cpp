// Broken rules on several ranks: whichever is broken, and wherever the ranks have their borders, all ranks throw the
// error of one process, and can run again.

#include "tests/support/alike_on_ranks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/small_programs.hpp"
#include "tests/support/wrong_programs.hpp"

#include <dcube/machine.hpp>

#include <fmt/format.h>

#include <array>
#include <limits>
#include <span>
#include <stdexcept>

using namespace dcube;
using namespace dcube::wrong;
using namespace test_support;

namespace {

using Part = std::span<const std::byte>;

Task sends(Node& me)
{
    me.send(Crossing::port, eight);
    co_return;
}

Task sends_often(Node& me)
{
    for (int i = 0; i < 8; ++i) {
        me.send(Crossing::port, eight);
        co_await me.next_step();
    }
}

Task sends_twice(Node& me)
{
    co_await me.until(4);
    me.send(Crossing::port, eight);
    me.send(Crossing::port, eight);
}

Task sends_joined(Node& me)
{
    static constexpr std::array<Part, 2> parts{Part(eight).first(3), Part(eight).last(5)};
    me.send(Crossing::port, JoinedPacket{parts});
    co_return;
}

Task sends_and_changes(Node& me)
{
    std::array<std::byte, 8> mine{};
    me.send(Crossing::port, mine);
    mine[3] = std::byte{1};
    co_await me.until(6);
}

Task receives(Node& me)
{
    co_await me.until(2);
    me.receive(Crossing::port);
}

Task receives_in_step_4(Node& me)
{
    co_await me.until(4);
    me.receive(Crossing::port);
}

Task receives_four_bytes(Node& me)
{
    co_await me.until(3);
    std::array<std::byte, 4> four{};
    me.receive(Crossing::port, four);
}

Task receives_parts(Node& me)
{
    co_await me.until(2);
    (void)me.receive_joined(Crossing::port);
}

}  // namespace

TEST_CASE("ranks: programs that break a rule are reported with rule, step, node and port by all ranks",
          "[emu][negative][world][slow]")
{
    CHECK(told_alike({uses_a_missing_port}).starts_with("no-such-port in step 2 at node 5, port 3"));
    CHECK(told_alike({receives_at_a_missing_port}).starts_with("no-such-port in step 1 at node 6, port 7"));
    CHECK(told_alike({sends_twice_on_a_link}).starts_with("link-busy in step 3 at node 4, port 1"));
    CHECK(told_alike({sends_on_two_ports, {.ports = PortModel::one}})
              .starts_with("second-send in step 1 at node 3, port 2"));
    CHECK(told_alike({crowds_node_0, {.ports = PortModel::one}})
              .starts_with("second-receive in step 2 at node 0, port 2"));
    CHECK(told_alike({receives_nothing}).starts_with("nothing-arrived in step 2 at node 2, port 1"));
    CHECK(told_alike({receives_too_early}).starts_with("nothing-arrived in step 1 at node 0, port 0"));
    CHECK(told_alike({expects_another_size}).starts_with("size-mismatch in step 2 at node 3, port 2"));
    CHECK(told_alike({leaves_a_packet}).starts_with("never-received in step 2 at node 4, port 1"));
    CHECK(told_alike({changes_lent_bytes, {.watch_lent_bytes = true}})
              .starts_with("lent-bytes-changed in step 2 at node 2, port 0"));
    CHECK(told_alike({receives_too_late}).starts_with("channel-full in step 2 at node 5, port 0"));
    CHECK(told_alike({receives_too_late, {.channel_capacity = 2}})
              .starts_with("never-received in step 9 at node 4, port 0"));
    for (const std::size_t capacity : {1U, 2U, 3U})
        CHECK(told_alike({fills_a_channel, {.channel_capacity = capacity}})
                  .starts_with(fmt::format("channel-full in step {} at node 5, port 0", capacity + 1)));
}

TEST_CASE("ranks: rules that are broken over a border, from either side", "[emu][negative][world][slow]")
{
    for (const Crossing link : crossings) {
        CAPTURE(link.from);
        const auto at = [](Step step, NodeId node) {
            return fmt::format(" in step {} at node {}, port 2", step, node);
        };
        CHECK(told_alike({on_link(link, sends_twice, idles)}).starts_with("link-busy" + at(4, link.from)));
        CHECK(told_alike({on_link(link, sends, idles)}).starts_with("never-received" + at(1, link.to)));
        CHECK(told_alike({on_link(link, idles, receives)}).starts_with("nothing-arrived" + at(2, link.to)));
        CHECK(told_alike({on_link(link, sends, receives_four_bytes)}).starts_with("size-mismatch" + at(3, link.to)));
        CHECK(told_alike({on_link(link, sends_joined, receives)}).starts_with("size-mismatch" + at(2, link.to)));
        CHECK(told_alike({on_link(link, sends, receives_parts)}).starts_with("size-mismatch" + at(2, link.to)));
        CHECK(told_alike({on_link(link, sends_and_changes, receives), {.watch_lent_bytes = true}})
                  .starts_with("lent-bytes-changed" + at(2, link.from)));
        CHECK(told_alike({on_link(link, sends_and_changes, receives_in_step_4), {.watch_lent_bytes = true}})
                  .starts_with("lent-bytes-changed" + at(4, link.from)));
        for (const std::size_t capacity : {1U, 2U, 3U}) {
            const Machine::Program late = on_link(link, sends_often, receives_in_step_4);
            const Step too_many = capacity < 3 ? static_cast<Step>(capacity + 1) : 5;  // after one was taken
            CHECK(told_alike({late, {.channel_capacity = capacity}})
                      .starts_with("channel-full" + at(too_many, link.from)));
        }
        LinkModel endless = slow_links();
        endless.beta = {std::numeric_limits<std::int64_t>::max() / 4 * 3, 1};
        const Machine::Program forwards = [link](Node& me) -> Task {
            std::array<std::byte, 8> bytes{};
            for (Step step = 1; step <= 4; ++step) {
                if (me.id() == link.from)
                    me.send(Crossing::port, eight);
                co_await me.next_step();
                if (me.id() == link.to)
                    me.receive(Crossing::port, bytes);
            }
        };
        CHECK(told_alike({forwards, {.link = endless}}).starts_with("time-overflow"));
        RunOptions failing;
        failing.failing = {{3, 7, 1}};
        CHECK(told_alike({on_link(link, sends, receives), {}, [=](World&) { return failing; }})
                  .starts_with("packet-lost" + at(1, link.from)));
    }
}

TEST_CASE("ranks: tasks that are awaited twice, or never, are reported", "[emu][negative][world]")
{
    const Machine::Program twice = [](Node& me) -> Task {
        co_await me.until(3);
        if (me.id() < 5)
            co_return;
        Task sub = idles(me);
        co_await sub;
        co_await sub;
    };
    CHECK(told_alike({twice}).starts_with("no-such-task in step 3 at node 5: the task has ended"));
    const Machine::Program forgets = [](Node& me) -> Task {
        co_await me.until(9 - me.id());
        if (me.id() >= 3) [[maybe_unused]]
            const Task forgotten = idles(me);
    };
    CHECK(told_alike({forgets}).starts_with("task-not-awaited in step 9 at node 3"));
    const Machine::Program leaves_more = [](Node& me) -> Task {  // a packet that is never taken comes first
        if (me.id() == 6) [[maybe_unused]]
            const Task forgotten = idles(me);
        if (me.id() == 1)
            me.send(2, eight);
        co_return;
    };
    CHECK(told_alike({leaves_more}).starts_with("never-received in step 1 at node 5, port 2"));
}

TEST_CASE("ranks: of violations in one step in two ranks the smaller node's is reported", "[emu][negative][world]")
{
    const Machine::Program both = [](Node& me) -> Task {
        co_await me.until(3);
        if (me.id() == 6)
            me.receive(0);
        if (me.id() == 1) {
            me.send(1, eight);
            me.send(1, eight);
        }
    };
    CHECK(told_alike({both}).starts_with("link-busy in step 3 at node 1, port 1"));
    CHECK(told_alike({breaks_rules_everywhere}).starts_with("nothing-arrived in step 2 at node 2, port 2"));
    const Machine::Program rule_and_exception = [](Node& me) -> Task {
        co_await me.until(2);
        if (me.id() == 0)
            throw std::runtime_error("no more");
        if (me.id() == 7)
            me.receive(0);
    };
    CHECK(told_alike({rule_and_exception}) == "the program of node 0 failed in step 2: no more");
}
