// Rows: a loop over a row does what is done link by link, or nothing.

#include "emu/rows.hpp"
#include "emu/wires.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_draw.hpp"

#include <array>
#include <cstring>
#include <numeric>
#include <vector>

using namespace dcube;
using namespace dcube::detail;

namespace {

constexpr std::size_t room_of_node = 256;  // bytes of a node: 16 packets of up to 16 bytes

// Nodes in an order of their own, with memory that is different everywhere.
struct Nodes {
    explicit Nodes(test_support::Draw& draw) : memory(most_in_row * room_of_node)
    {
        for (std::byte& byte : memory)
            byte = static_cast<std::byte>(draw.below(256));
        std::array<std::size_t, most_in_row> order{};
        std::iota(order.begin(), order.end(), std::size_t{0});
        for (std::size_t i = order.size() - 1; i > 0; --i)
            std::swap(order[i], order[draw.below(i + 1)]);
        for (std::size_t i = 0; i < most_in_row; ++i) {
            bases[i] = memory.data() + order[i] * room_of_node;
            images[i] = static_cast<NodeId>(draw.below(8));
        }
    }

    std::vector<std::byte> memory;
    std::array<std::byte*, most_in_row> bases{};
    std::array<NodeId, most_in_row> images{};
};

RowOfPackets some_packets(Nodes& nodes, test_support::Draw& draw, std::size_t bytes)
{
    RowOfPackets packets{nodes.bases.data(), nullptr, 0, false, bytes, bytes * draw.below(4)};
    if (draw.chance(50)) {
        packets.images = nodes.images.data();
        packets.turned_by = static_cast<NodeId>(draw.below(8));
    }
    return packets;
}

struct Links {
    std::array<std::uint64_t, 2 * most_in_row> data{};
    std::array<std::uint64_t, 2 * most_in_row> states{};
};

std::size_t some_count(test_support::Draw& draw)
{
    return draw.one_of(std::vector<std::size_t>{1, 7, 16, 32, 63, 64});
}

}  // namespace

TEST_CASE("rows: packets that are sent lie in their links' places, or nothing was sent", "[emu]")
{
    test_support::Draw draw(1);
    int refused = 0;
    for (int round = 0; round < 3000; ++round) {
        CAPTURE(round);
        const Step step = static_cast<Step>(2 + draw.below(100));
        const std::size_t bytes = draw.one_of(std::vector<std::size_t>{4, 8, 16});
        const std::size_t count = some_count(draw);
        Nodes nodes(draw);
        Links links;
        for (std::uint64_t& state : links.states)
            state = draw.chance(50) ? 0 : Place::empty_since(static_cast<Step>(1 + draw.below(step - 1)));
        const std::size_t odd = draw.below(3 * most_in_row);
        if (odd < links.states.size())
            links.states[odd] = draw.one_of(std::vector<std::uint64_t>{
                Place::bell, Place::empty_since(step), Place::full_since(step, 8), Place::full_since(1, 8)});

        RowToSend row{.count = count,
                      .held = bytes == 16 || draw.chance(50) ? 0 : bytes,
                      .full = Place::full_since(step, static_cast<std::uint32_t>(bytes)),
                      .taken = Place::empty_since(step),
                      .from = some_packets(nodes, draw, bytes),
                      .to = {links.data.data() + 5, links.states.data() + 5},
                      .links = nullptr,
                      .swapped = 0};
        std::vector<std::uint32_t> to(count);
        std::iota(to.begin(), to.end(), 0U);
        if (draw.chance(30)) {
            for (std::uint32_t& link : to)
                link = static_cast<std::uint32_t>(count) - 1 - link;
            row.links = to.data();
        } else if (count == 16 || count == 32 || count == 64) {
            row.swapped = static_cast<NodeId>(std::size_t{1} << draw.below(4));
            for (std::uint32_t& link : to)
                link ^= row.swapped;
        }

        Links expected = links;
        bool possible = true;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t link = 5 + to[i];
            possible = possible && Place::is_free(links.states[link], step);
            expected.states[link] = row.full;
            expected.data[link] = reinterpret_cast<std::uintptr_t>(row.from.of(i));
            if (row.held != 0) {
                expected.data[link] = 0;
                std::memcpy(&expected.data[link], row.from.of(i), bytes);
            }
        }
        const Links before = links;
        REQUIRE(send(row) == possible);
        REQUIRE(links.data == (possible ? expected : before).data);
        REQUIRE(links.states == (possible ? expected : before).states);
        refused += !possible;
    }
    CHECK(refused > 300);
}

TEST_CASE("rows: packets that are kept are those in the links' places, or nothing was taken", "[emu]")
{
    test_support::Draw draw(2);
    int refused = 0;
    for (int round = 0; round < 3000; ++round) {
        CAPTURE(round);
        const Step step = static_cast<Step>(3 + draw.below(100));
        const std::size_t bytes = draw.one_of(std::vector<std::size_t>{3, 4, 8, 12, 16});
        const std::size_t count = some_count(draw);
        const bool held = (bytes == 4 || bytes == 8) && draw.chance(50);
        const auto size = static_cast<std::uint32_t>(bytes) | (held ? Place::held : 0);
        Nodes senders(draw);
        Nodes nodes(draw);
        Links links;
        Links others;
        for (std::size_t i = 0; i < links.data.size(); ++i) {
            links.states[i] = Place::full_since(step - 1, size);
            links.data[i] =
                held ? draw.below(1U << 30) : reinterpret_cast<std::uintptr_t>(senders.bases[i % most_in_row]);
            others.states[i] = draw.chance(50) ? Place::full_since(step, size) : Place::empty_since(step - 1);
        }
        const std::size_t odd = draw.below(3 * most_in_row);
        if (odd < links.states.size())
            (draw.chance(50) ? links : others).states[odd] = Place::full_since(step - 2, size);

        const RowToTake row{.count = count,
                            .bytes = bytes,
                            .full = Place::full_since(step - 1, size),
                            .emptied = Place::empty_since(step),
                            .newest = Place::full_since(step, 0),
                            .tested = true,
                            .into = some_packets(nodes, draw, bytes),
                            .from = {links.data.data() + 5, links.states.data() + 5},
                            .others = others.states.data() + 5};
        bool possible = true;
        for (std::size_t i = 0; i < count; ++i)
            possible = possible && links.states[5 + i] == row.full && !Place::waits_in(others.states[5 + i], step);
        CHECK(is_usual(row) == possible);
        const Links before = links;
        const std::vector<std::byte> memory = nodes.memory;
        REQUIRE(keep(row) == possible);
        if (!possible) {
            REQUIRE(links.states == before.states);
            REQUIRE(nodes.memory == memory);
            ++refused;
            continue;
        }
        for (std::size_t i = 0; i < count; ++i) {
            const std::byte* const packet = held ? reinterpret_cast<const std::byte*>(&links.data[5 + i])
                                                 : reinterpret_cast<const std::byte*>(links.data[5 + i]);
            REQUIRE(std::memcmp(row.into.of(i), packet, bytes) == 0);
            REQUIRE(links.states[5 + i] == row.emptied);
        }
        REQUIRE(links.states[4] == before.states[4]);
        REQUIRE(links.states[5 + count] == before.states[5 + count]);
    }
    CHECK(refused > 300);
}
