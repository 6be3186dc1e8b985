#pragma once
// Programs for a 3-cube that break the rules of the machine, each one of them.

#include "tests/support/small_programs.hpp"

#include <dcube/machine.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <span>

namespace dcube::wrong {

using test_support::eight;

inline Task idle_steps(Node& me, Step count)
{
    for (Step step = 0; step < count; ++step)
        co_await me.next_step();
}

inline Task uses_a_missing_port(Node& me)
{
    co_await me.next_step();
    if (me.id() >= 5)
        me.send(me.ports(), eight);
}

inline Task receives_at_a_missing_port(Node& me)
{
    if (me.id() == 6)
        me.receive(7);
    co_return;
}

inline Task sends_twice_on_a_link(Node& me)
{
    Task pause = idle_steps(me, 2);
    co_await pause;
    if (me.id() == 4) {
        me.send(1, eight);
        me.send(1, eight);
    }
}

inline Task sends_on_two_ports(Node& me)
{
    if (me.id() == 3) {
        me.send(0, eight);
        me.send(2, eight);
    }
    co_await me.next_step();
}

// Nodes 1 and 4 send to node 0 in step 2; no node sends twice.
inline Task crowds_node_0(Node& me)
{
    co_await me.next_step();
    if (me.id() == 1 || me.id() == 4)
        me.send(me.id() == 1 ? 0 : 2, eight);
    co_await me.next_step();
}

inline Task receives_nothing(Node& me)
{
    co_await me.next_step();
    if (me.id() == 2)
        me.receive(1);
}

// A packet cannot be received in the step in which it is sent.
inline Task receives_too_early(Node& me)
{
    if (me.id() == 1)
        me.send(0, eight);
    if (me.id() == 0)
        me.receive(0);
    co_await me.next_step();
}

inline Task expects_another_size(Node& me)
{
    std::array<std::byte, 4> four{};
    if (me.id() == 7)
        me.send(2, eight);
    co_await me.next_step();
    if (me.id() == 3)
        me.receive(2, four);
}

inline Task leaves_a_packet(Node& me)
{
    co_await me.next_step();
    if (me.id() == 6)
        me.send(1, eight);
    co_await me.next_step();
}

// Node 5 sends in every step, and node 4 never receives.
inline Task fills_a_channel(Node& me)
{
    for (Step step = 1; step <= 10; ++step) {
        if (me.id() == 5)
            me.send(0, eight);
        co_await me.next_step();
    }
}

// Node 5 sends in every step; node 4 begins to receive two steps later.
inline Task receives_too_late(Node& me)
{
    for (Step step = 1; step <= 10; ++step) {
        if (me.id() == 5)
            me.send(0, eight);
        if (me.id() == 4 && step >= 3)
            me.receive(0);
        co_await me.next_step();
    }
}

inline Task changes_lent_bytes(Node& me)
{
    std::array<std::byte, 8> mine{};
    std::array<std::byte, 8> theirs{};
    me.send(0, mine);
    co_await me.next_step();
    if (me.id() == 2)
        mine[3] = std::byte{1};
    me.receive(0, theirs);
    co_await me.next_step();
}

inline Task waits_in_vain(Node& me)
{
    Task pause = idle_steps(me, 2);
    co_await pause;
    if (me.id() == 6)
        co_await me.arrival(1);
}

// Under the link-bound model, where a packet takes more than half of all the time there is.
inline Task takes_too_long(Node& me)
{
    for (Step step = 1; step <= 3; ++step) {
        if (me.id() == 2)
            me.send(0, eight);
        co_await me.next_step();
        if (me.id() == 3)
            me.receive(0);
    }
}

inline Task sleeps_too_long(Node& me)
{
    co_await me.until(std::numeric_limits<Step>::max());
}

inline Task begins_alone(Node& me)
{
    static constexpr int what = 0;
    co_await me.next_step();
    if (me.id() == 3)
        me.begin_together(&what, "a broadcast");
    co_await me.next_step();
}

// Node 4 begins what takes all nodes while a packet waits there.
inline Task begins_too_early(Node& me)
{
    static constexpr int what = 0;
    if (me.id() == 5)
        me.send(0, eight);
    co_await me.next_step();
    me.begin_together(&what, "a broadcast");
    co_await me.next_step();
}

inline Task forgets_a_task(Node& me)
{
    co_await me.next_step();
    if (me.id() == 5) [[maybe_unused]]
        const Task forgotten = idle_steps(me, 1);
    co_await me.next_step();
}

inline Task awaits_a_task_twice(Node& me)
{
    Task pause = idle_steps(me, 1);
    co_await pause;
    if (me.id() == 7)
        co_await pause;
}

// Whichever link of port 0 fails, its receiver counts on the packet.
inline Task counts_on_packets(Node& me)
{
    me.send(0, eight);
    co_await me.next_step();
    me.receive(0);
}

inline Task breaks_rules_everywhere(Node& me)
{
    co_await me.next_step();
    if (me.id() >= 2)
        me.receive(me.id() % 3);
}

}  // namespace dcube::wrong
