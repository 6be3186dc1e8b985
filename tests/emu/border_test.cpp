// Traffic between ranks: messages as they are written and read, and packets that workers share.

#include "emu/message.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/local_world.hpp"

#include <dcube/machine.hpp>

#include <array>
#include <vector>

using namespace dcube;
using namespace dcube::detail;

namespace {

std::vector<std::byte> bytes_of(std::size_t size, unsigned first)
{
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i)
        bytes[i] = static_cast<std::byte>(first + i);
    return bytes;
}

Parcel parcel_of(const std::vector<std::byte>& bytes, std::uint64_t header = 0)
{
    return {bytes.data(), bytes.size(), header};
}

std::vector<std::byte> bytes_of(const Parcel& parcel)
{
    return {parcel.data, parcel.data + parcel.size()};
}

}  // namespace

TEST_CASE("border: a message is read as it was written", "[emu][world]")
{
    const std::vector<std::byte> small = bytes_of(3, 1);
    const std::vector<std::byte> large = bytes_of(100, 7);
    const std::vector<std::byte> none;
    const std::array<std::span<const std::byte>, 2> parts{std::span(small), std::span(large)};
    MessageWriter writer;
    for (const bool again : {false, true}) {  // its memory is used again
        INFO("again: " << again);
        writer.begin(5, 9);
        writer.add(1, parcel_of(small), 10);
        writer.add(2, parcel_of(large, 77), 20);
        writer.add(4, parcel_of(none), 30);
        writer.add(8, {reinterpret_cast<const std::byte*>(parts.data()), 103 | Parcel::joined, 2}, 40);
        writer.take(0, 1);
        writer.take(1, 1);
        writer.take(3, 2);
        writer.labels().put_text("labels");
        writer.finish(9, 9, true, true);
        CHECK(writer.packets() == 4);
        CHECK(writer.bytes() == 206);

        MessageReader reader(writer.message().bytes(), 5);
        REQUIRE(reader.header().packets == 4);
        CHECK(!reader.plain());
        const auto first = reader.next();
        CHECK(first.link == 1);
        CHECK(first.arrival == 10);
        CHECK(first.parcel.header == 0);
        CHECK(bytes_of(first.parcel) == small);
        const auto second = reader.next();
        CHECK(second.parcel.header == 77);
        CHECK(bytes_of(second.parcel) == large);
        CHECK(reinterpret_cast<std::uintptr_t>(second.parcel.data) % 64 == 0);
        CHECK(reader.next().parcel.size() == 0);
        const auto joined = reader.next();
        CHECK(joined.link == 8);
        CHECK(joined.parcel.is_joined());
        CHECK(joined.parcel.header == 2);
        CHECK(reader.next_part() == 3);
        CHECK(reader.next_part() == 100);
        REQUIRE(reader.header().takes == 4);
        CHECK(std::vector{reader.take(0), reader.take(1), reader.take(2), reader.take(3)} ==
              std::vector<std::uint32_t>{0, 1, 3, 3});
        CHECK(reader.labels().get_text() == "labels");
    }
}

TEST_CASE("border: equal packets are counted, not listed, unless other packets follow", "[emu][world]")
{
    const std::vector<std::byte> packet = bytes_of(16, 3);
    for (const std::uint32_t alike : {0U, 2U, 4U}) {
        INFO(alike << " alike");
        MessageWriter writer;
        writer.begin(1, 4);
        std::byte* const into = writer.make_room(4, 16);
        for (std::uint32_t i = 0; i < alike; ++i)
            std::ranges::copy(packet, into + i * packet_place(16, 16));
        writer.note_alike(alike);
        for (std::uint32_t i = alike; i < 4; ++i)
            if (i != 2)  // that link carries no packet
                writer.add(i, parcel_of(packet), 0);
        for (std::uint32_t i = 0; i < 3; ++i)
            writer.take(i, 1);
        writer.finish(4, 3, false, false);

        MessageReader reader(writer.message().bytes(), 1);
        CHECK(reader.plain() == (alike == 4));
        CHECK(reader.header().all_takes);
        REQUIRE(reader.header().packets == (alike == 4 ? 4 : 3));
        for (std::uint32_t i = 0; i < 4; ++i) {
            if (i == 2 && alike != 4)
                continue;
            const auto found = reader.next();
            CHECK(found.link == i);
            CHECK(bytes_of(found.parcel) == packet);
        }
    }
}

TEST_CASE("border: a message that is not one of the step is refused", "[emu][world]")
{
    MessageWriter writer;
    writer.begin(3, 1);
    writer.finish(1, 1, false, false);
    const std::span<const std::byte> message = writer.message().bytes();
    CHECK_NOTHROW(MessageReader(message, 3));
    CHECK_THROWS_AS(MessageReader(message, 4), Error);
    CHECK_THROWS_AS(MessageReader(message.first(message.size() - 1), 3), Error);
    const std::vector<std::byte> other(200);
    CHECK_THROWS_AS(MessageReader(other, 3), Error);
}

namespace {

// Every node sends `bytes` over every port in each of some steps, but those that `silent` names; and checks what it
// gets.
Task exchange_all(Node& me, std::size_t bytes, bool (*silent)(NodeId, Step))
{
    const std::size_t ports = me.ports();
    std::vector<std::byte> mine(bytes);
    std::vector<std::byte> theirs(bytes);
    for (Step step = 1; step <= 6; ++step) {
        std::ranges::fill(mine, static_cast<std::byte>(me.id() + step));
        for (Port port = 0; port < ports; ++port)
            if (!silent(me.id(), step))
                me.send(port, mine);
        co_await me.next_step();
        for (Port port = 0; port < ports; ++port) {
            const NodeId other = me.topology().neighbour(me.id(), port);
            if (silent(other, step))
                continue;
            me.receive(port, theirs);
            if (theirs.back() != static_cast<std::byte>(other + step) || theirs.front() != theirs.back())
                throw std::runtime_error("wrong bytes");
        }
        co_await me.next_step();
    }
}

Counts exchanged(unsigned ranks, unsigned threads, std::size_t bytes, bool (*silent)(NodeId, Step))
{
    Counts counts;
    test_support::run_ranks(ranks, [&](const std::shared_ptr<World>& world) {
        MachineOptions options;
        options.threads = threads;
        options.world = world;
        options.watch_lent_bytes = false;
        Machine machine(Topology::hypercube(7), options);
        for (int time = 0; time < 2; ++time) {
            const Counts own = machine.run([&](Node& me) { return exchange_all(me, bytes, silent); });
            if (world->rank() == 0)
                counts = own;
        }
    });
    return counts;
}

}  // namespace

// 64 packets of 2 KiB go to each peer: enough for all workers.
TEST_CASE("border: workers share what crosses", "[emu][world]")
{
    bool (*const silences[])(NodeId, Step) = {
        [](NodeId, Step) { return false; },
        [](NodeId node, Step step) { return node == 70 && step % 2 == 0; },  // not all links carry a packet
    };
    for (const auto silent : silences) {
        const Counts one = exchanged(1, 1, 2048, silent);
        for (const unsigned ranks : {2U, 4U})
            for (const unsigned threads : {1U, 2U}) {
                INFO(ranks << " ranks, " << threads << " threads");
                const Counts many = exchanged(ranks, threads, 2048, silent);
                CHECK(many.steps == one.steps);
                CHECK(many.transmissions == one.transmissions);
                CHECK(many.bytes == one.bytes);
                CHECK(many.cross_rank_bytes == many.cross_rank_packets * 2048);
                CHECK(many.cross_rank_packets > 0);
            }
    }
}
