// Senders that change bytes they have lent: every way round, on both kinds of channel.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/own_threads.hpp"

#include <dcube/machine.hpp>

#include <array>
#include <memory>
#include <optional>
#include <string>

using namespace dcube;

namespace {

using Part = std::span<const std::byte>;

std::string violation_of(const Machine::Program& program, MachineOptions options)
{
    std::optional<std::string> first;
    for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc})
        for (const unsigned threads : {1U, 2U}) {
            options.channel = channel;
            options.threads = threads;
            Machine machine(Topology::hypercube(2), options);
            const std::string text = test_support::error_of([&] { machine.run(program); });
            CHECK(text == first.value_or(text));
            first = text;
        }
    return *first;
}

// Node 2 changes what it has lent to node 3.
std::string changed(Step sent, Step taken)
{
    return "lent-bytes-changed in step " + std::to_string(taken) + " at node 2, port 0: bytes sent in step " +
           std::to_string(sent) + " were changed before the end of the step in which they were received";
}

std::array<std::byte, 64> memory{};

Task receives_in(Node& me, Step step)
{
    co_await me.until(step);
    std::array<std::byte, 64> into{};
    me.receive(0, into);
}

void send_and_change(Node& me)
{
    memory.fill(std::byte{1});
    me.send(0, memory);
    memory[63] = std::byte{2};
}

Task changes_and_ends(Node& me)
{
    if (me.id() == 2)
        send_and_change(me);
    if (me.id() == 3) {
        Task sub = receives_in(me, 2);
        co_await sub;
    }
}

Task changes_and_sleeps(Node& me)
{
    if (me.id() == 2) {
        send_and_change(me);
        co_await me.until(10);
    }
    if (me.id() == 3) {
        Task sub = receives_in(me, 2);
        co_await sub;
        co_await me.until(12);
    }
}

Task changes_and_waits(Node& me)
{
    if (me.id() == 2) {
        send_and_change(me);
        co_await me.arrival(0);
    }
    if (me.id() == 3) {
        Task sub = receives_in(me, 2);
        co_await sub;
        me.send(0, Part());
        co_await me.next_step();
    }
}

Task changes_what_waits(Node& me)
{
    if (me.id() == 2) {
        memory.fill(std::byte{1});
        me.send(0, memory);
        co_await me.until(3);
        memory[0] = std::byte{2};
    }
    if (me.id() == 3) {
        Task sub = receives_in(me, 4);
        co_await sub;
    }
}

// The receiver may have copied it already in this step, or not yet.
Task changes_in_the_same_step(Node& me)
{
    if (me.id() == 2) {
        memory.fill(std::byte{1});
        me.send(0, memory);
        co_await me.next_step();
        memory[0] = std::byte{2};
    }
    if (me.id() == 3) {
        Task sub = receives_in(me, 2);
        co_await sub;
    }
}

Task sends_a_local_variable(Node& me)
{
    std::array<std::byte, 64> local{};
    local.fill(std::byte{7});
    me.send(0, local);
    co_return;
}

Task lends_what_is_gone(Node& me)
{
    if (me.id() == 2) {
        Task sub = sends_a_local_variable(me);
        co_await sub;
    }
    if (me.id() == 3) {
        Task sub = receives_in(me, 2);
        co_await sub;
    }
}

// The list of a joined packet is lent like its bytes.
Task changes_a_list(Node& me)
{
    static std::array<Part, 2> parts;
    if (me.id() == 2) {
        parts = {Part(memory).first(32), Part(memory).last(32)};
        me.send(0, JoinedPacket{parts});
        parts[1] = Part(memory).first(32);  // other bytes, of the same contents
    }
    if (me.id() == 3) {
        Task sub = receives_in(me, 2);
        co_await sub;
    }
}

Task changes_and_is_never_received(Node& me)
{
    if (me.id() == 2)
        send_and_change(me);
    co_return;
}

Task changes_when_it_may(Node& me)
{
    if (me.id() == 2) {
        memory.fill(std::byte{1});
        me.send(0, memory);
        co_await me.until(3);
        memory[0] = std::byte{2};
        me.send(0, memory);
        co_await me.until(5);
        memory[0] = std::byte{3};
    }
    if (me.id() == 3) {
        Task sub = receives_in(me, 2);
        co_await sub;
        Task other = receives_in(me, 4);
        co_await other;
    }
}

}  // namespace

TEST_CASE("lent bytes: a change of lent bytes is detected, whatever the sender does after it", "[emu][negative]")
{
    const MachineOptions watched{.watch_lent_bytes = true};
    CHECK(violation_of(changes_and_ends, watched) == changed(1, 2));
    CHECK(violation_of(changes_and_sleeps, watched) == changed(1, 2));
    CHECK(violation_of(changes_and_waits, watched) == changed(1, 2));
    CHECK(violation_of(changes_what_waits, watched) == changed(1, 4));
    CHECK(violation_of(lends_what_is_gone, watched) == changed(1, 2));
    CHECK(violation_of(changes_a_list, watched) == changed(1, 2));
#ifndef __SANITIZE_THREAD__  // sees the race itself
    CHECK(violation_of(changes_in_the_same_step, watched) == changed(1, 2));
#endif
}

// Every chunk looks after what its own nodes have taken.
TEST_CASE("lent bytes: a change is detected whether the sender or the receiver is checked first", "[emu][negative]")
{
    const auto program = [](Node& me) -> Task {
        std::array<std::byte, 64> bytes{};
        for (Step step = 1; step <= 6; ++step) {
            for (Port port = 0; step % 2 == 1 && port < me.ports(); ++port)
                me.send(port, bytes);
            co_await me.next_step();
            for (Port port = 0; step % 2 == 1 && port < me.ports(); ++port)
                me.receive(port);
            if (step == 3 && me.id() % 100 == 77)
                bytes[5] = std::byte{1};
        }
    };
    for (const unsigned threads : {1U, 2U, 4U}) {
        MachineOptions options{.threads = threads, .watch_lent_bytes = true};
        options.workers = std::make_shared<test_support::OwnThreads>(threads, test_support::OwnThreads::When::always);
        Machine machine(Topology::hypercube(8), options);
        CHECK_THAT(test_support::error_of([&] { machine.run(program); }),
                   Catch::StartsWith("lent-bytes-changed in step 4 at node 77, port 0: bytes sent in step 3 "));
    }
}

TEST_CASE("lent bytes: a packet that is still on its way at the end was never received", "[emu][negative]")
{
    CHECK(violation_of(changes_and_is_never_received, {.watch_lent_bytes = true}) ==
          "never-received in step 1 at node 3, port 0: the run ended before the packet from node 2 was received");
}

TEST_CASE("lent bytes: a sender may change them when the receiver has had its step", "[emu]")
{
    CHECK(violation_of(changes_when_it_may, {.watch_lent_bytes = true}).empty());
}

TEST_CASE("lent bytes: watching is switched on and off, and is on in builds that look for mistakes", "[emu]")
{
    const Topology cube = Topology::hypercube(1);
    CHECK(Machine(cube, {.watch_lent_bytes = true}).watches_lent_bytes());
    CHECK_FALSE(Machine(cube, {.watch_lent_bytes = false}).watches_lent_bytes());
    CHECK(violation_of(changes_and_ends, {.watch_lent_bytes = false}).empty());
#if !defined(NDEBUG) || defined(DCUBE_SANITIZED)
    CHECK(Machine(cube).watches_lent_bytes());
#else
    CHECK_FALSE(Machine(cube).watches_lent_bytes());
#endif
}
