// The machine's counts.

#include "tests/support/catch.hpp"

#include <dcube/machine.hpp>

#include <algorithm>
#include <array>
#include <span>

using namespace dcube;

namespace {

constexpr std::array<std::byte, 10> ten{};

// Node 0 sends over port 1 in steps 2 and 4; node 2 receives; the others do nothing. Node n allocates n bytes.
Task sends_in_even_steps(Node& me)
{
    me.allocate(me.id());
    for (Step step = 1; step <= 5; ++step) {
        if (me.id() == 0 && step % 2 == 0)
            me.send(1, ten);
        if (me.id() != 0 && me.id() != 2)
            co_return;  // a node may end early
        co_await me.next_step();
        if (me.id() == 2 && step % 2 == 0)
            me.receive(1);
    }
}

}  // namespace

TEST_CASE("steps, packets, bytes, links and storage are counted, the same for any number of threads", "[emu]")
{
    for (const unsigned threads : {1U, 2U, 4U}) {
        Machine machine(Topology::hypercube(3), {.threads = threads});
        for (int run = 0; run < 2; ++run) {
            const Counts counts = machine.run(sends_in_even_steps);
            CHECK(counts.steps == 5);
            CHECK(counts.transmissions == 2);
            CHECK(counts.bytes == 20);
            CHECK(counts.busiest->from == 0);
            CHECK(counts.busiest->port == 1);
            CHECK(counts.busiest->packets == 2);
            CHECK(counts.idlest->packets == 0);
            CHECK(counts.storage_bytes == 28);
            CHECK(counts.largest_storage_bytes == 7);
        }
    }
}

TEST_CASE("a machine of one node has no links and needs no step", "[emu]")
{
    Machine machine(Topology::hypercube(0));
    const Counts counts = machine.run([](Node&) -> Task { co_return; });
    CHECK(counts.steps == 0);
    CHECK_FALSE(counts.busiest.has_value());
    CHECK_FALSE(counts.idlest.has_value());
}

TEST_CASE("a node can sleep until a step, and time goes on meanwhile", "[emu]")
{
    Machine machine(Topology::hypercube(3));
    std::array<Step, 8> woken{};
    const auto program = [&woken](Node& me) -> Task {
        const Step step = 1 + 3 * me.id();
        co_await me.until(step);
        woken[me.id()] = me.step();
        co_await me.until(1);  // long ago
    };
    CHECK(machine.run(program).steps == 21);
    CHECK(woken == std::array<Step, 8>{1, 4, 7, 10, 13, 16, 19, 22});
}

TEST_CASE("lists of parts are not in transit", "[emu]")
{
    Machine machine(Topology::hypercube(1));
    const Counts counts = machine.run([](Node& me) -> Task {
        const auto parts = me.allocate_parts(3);
        const std::span<std::byte> bytes = me.allocate(8);
        std::ranges::fill(bytes, std::byte{7});
        for (std::span<const std::byte>& part : parts)
            part = bytes.first(2);
        me.send(0, JoinedPacket{parts});
        co_await me.next_step();
        std::array<std::byte, 6> received{};
        me.receive(0, received);
    });
    CHECK(counts.storage_bytes == 16);
    CHECK(counts.largest_storage_bytes == 8);
}
