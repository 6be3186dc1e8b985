// Traces tell whose bytes moved: labels travel with the bytes.

#include "tests/support/catch.hpp"

#include <dcube/machine.hpp>

#include <array>
#include <vector>

using namespace dcube;

namespace {

struct Line {
    Step step;
    NodeId from;
    NodeId to;
    Port port;
    std::vector<Piece> pieces;

    friend bool operator==(const Line&, const Line&) = default;
};

using Memory32 = std::array<std::byte, 32>;

// Step 1: all send 16 of their bytes over every port. Step 2: node 1 sends on 8 that it got from node 0, and 8 of its
// own.
Task mixes(Node& me, Memory32& memory, Memory32& lent)
{
    for (Port port = me.ports(); port-- > 0;)  // backwards: a trace is sorted all the same
        me.send(port, std::span(lent).first(16));
    co_await me.next_step();
    for (Port port = 0; port < me.ports(); ++port)
        me.receive(port, std::span(memory).subspan(port * 16, 16));
    if (me.id() == 1)
        me.send(1, std::span(memory).subspan(8, 16));  // 8 bytes of node 0's, 8 of node 3's
    co_await me.next_step();
    if (me.id() == 3)
        me.receive(1, std::span(memory).first(16));
    co_await me.next_step();
}

std::vector<Line> traced(unsigned threads, ChannelKind channel)
{
    Machine machine(Topology::hypercube(2), {.threads = threads, .channel = channel});
    std::array<Memory32, 4> memories{};
    std::array<Memory32, 4> lent{};
    std::vector<Line> lines;
    RunOptions options;
    options.labels = [&lent](NodeId node) { return std::vector<Label>{{lent[node], {node, std::nullopt, 100, 32}}}; };
    options.trace = [&lines](const Transmission& t) {
        lines.push_back({t.step, t.from, t.to, t.port, {t.pieces.begin(), t.pieces.end()}});
    };
    machine.run([&](Node& me) { return mixes(me, memories[me.id()], lent[me.id()]); }, options);
    return lines;
}

}  // namespace

TEST_CASE("a trace is sorted by step, node and port, and names the bytes' origins piece by piece", "[emu]")
{
    const std::vector<Line> lines = traced(1, ChannelKind::slots);
    REQUIRE(lines.size() == 9);
    for (std::size_t i = 0; i < 8; ++i) {
        const auto node = static_cast<NodeId>(i / 2);
        const auto port = static_cast<Port>(i % 2);
        CHECK(lines[i] == Line{1, node, node ^ (1U << port), port, {{node, std::nullopt, 100, 16}}});
    }
    CHECK(lines[8] == Line{2, 1, 3, 1, {{NodeId{0}, std::nullopt, 108, 8}, {NodeId{3}, std::nullopt, 100, 8}}});
}

TEST_CASE("traces are the same for any number of threads and either channel", "[emu]")
{
    const std::vector<Line> reference = traced(1, ChannelKind::slots);
    for (const unsigned threads : {1U, 2U, 4U})
        for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc})
            CHECK(traced(threads, channel) == reference);
}

TEST_CASE("bytes without a label give a packet without pieces", "[emu]")
{
    Machine machine(Topology::hypercube(1));
    std::size_t lines = 0;
    std::size_t pieces = 0;
    RunOptions options;
    options.trace = [&](const Transmission& t) {
        ++lines;
        pieces += t.pieces.size();
    };
    const auto program = [](Node& me) -> Task {
        static constexpr std::byte packet{};
        me.send(0, std::span(&packet, 1));
        co_await me.next_step();
        me.receive(0);
    };
    machine.run(program, options);
    CHECK(lines == 2);
    CHECK(pieces == 0);
}
