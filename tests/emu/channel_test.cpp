// Channels: order, patience and capacity, with both kinds.

#include "tests/support/catch.hpp"

#include <dcube/machine.hpp>

#include <array>
#include <vector>

using namespace dcube;

namespace {

using WordList = std::vector<std::uint64_t>;

std::span<const std::byte> bytes_of(const std::uint64_t& word)
{
    return std::as_bytes(std::span(&word, 1));
}

// Node 0 sends numbers with a gap now and then; node 1 leaves up to `patience` of them waiting.
Task send_numbers(Node& me, const WordList& numbers)
{
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        me.send(0, bytes_of(numbers[i]), 1000 + i);
        co_await me.next_step();
        if (i % 3 == 2)
            co_await me.next_step();
    }
    for (int step = 0; step < 100; ++step)
        co_await me.next_step();
}

Task receive_numbers(Node& me, std::size_t count, std::size_t patience, WordList& received, WordList& headers)
{
    for (std::size_t step = 0; step < patience; ++step)
        co_await me.next_step();
    while (received.size() < count) {
        co_await me.arrival(0);
        std::uint64_t number = 0;
        const BorrowedPacket seen = me.peek(0);
        const Packet packet = me.receive(0, std::as_writable_bytes(std::span(&number, 1)));
        received.push_back(number);
        headers.push_back(packet.header == seen.header ? packet.header : 0);
        co_await me.next_step();
    }
}

template <class Visit>
void for_each_machine(unsigned d, std::size_t capacity, Visit&& visit)
{
    for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc}) {
        for (const unsigned threads : {1U, 2U}) {
            CAPTURE(name(channel), threads, capacity);
            Machine machine(Topology::hypercube(d),
                            {.threads = threads, .channel = channel, .channel_capacity = capacity});
            visit(machine);
        }
    }
}

}  // namespace

TEST_CASE("packets arrive in order, with their headers, however long they wait up to the capacity", "[emu]")
{
    WordList numbers;
    WordList headers_sent;
    for (std::uint64_t i = 0; i < 50; ++i) {
        numbers.push_back(i * i + 7);
        headers_sent.push_back(1000 + i);
    }
    for (const std::size_t capacity : {1U, 2U, 3U, 100U}) {
        for_each_machine(1, capacity, [&](Machine& machine) {
            WordList received;
            WordList headers;
            const Counts counts = machine.run([&](Node& me) {
                return me.id() == 0 ? send_numbers(me, numbers)
                                    : receive_numbers(me, numbers.size(), capacity, received, headers);
            });
            CHECK(received == numbers);
            CHECK(headers == headers_sent);
            CHECK(counts.transmissions == numbers.size());
        });
    }
}

TEST_CASE("capacity 1 lets every link carry a packet in every step", "[emu]")
{
    static constexpr Step steps = 50;
    for_each_machine(6, 1, [](Machine& machine) {
        static constexpr std::uint64_t word = 1;
        const auto program = [](Node& me) -> Task {
            for (Step step = 1; step <= steps; ++step) {
                for (Port port = 0; port < me.ports(); ++port)
                    me.send(port, bytes_of(word));
                co_await me.next_step();
                for (Port port = 0; port < me.ports(); ++port)
                    me.receive(port);
            }
        };
        const Counts counts = machine.run(program);
        CHECK(counts.steps == steps);
        CHECK(counts.transmissions == std::uint64_t{steps} * 6 * 64);
        CHECK(counts.bytes == counts.transmissions * 8);
        CHECK(counts.busiest->packets == steps);
        CHECK(counts.idlest->packets == steps);
    });
}

TEST_CASE("a packet that is sent can be received in the next step, and was not there before", "[emu]")
{
    for_each_machine(1, 1, [](Machine& machine) {
        static constexpr std::uint64_t word = 1;
        std::array<std::vector<bool>, 2> seen;
        const auto program = [&seen](Node& me) -> Task {
            co_await me.next_step();
            me.send(0, bytes_of(word));
            seen[me.id()].push_back(me.arrived(0));
            co_await me.next_step();
            seen[me.id()].push_back(me.arrived(0));
            me.receive(0);
            seen[me.id()].push_back(me.arrived(0));
        };
        machine.run(program);
        CHECK(seen[0] == std::vector<bool>{false, true, false});
        CHECK(seen[1] == seen[0]);
    });
}

TEST_CASE("empty packets count as packets", "[emu]")
{
    for_each_machine(1, 1, [](Machine& machine) {
        const auto program = [](Node& me) -> Task {
            me.send(0, std::span<const std::byte>());
            co_await me.next_step();
            me.receive(0, std::span<std::byte>{});
        };
        const Counts counts = machine.run(program);
        CHECK(counts.transmissions == 2);
        CHECK(counts.bytes == 0);
    });
}
