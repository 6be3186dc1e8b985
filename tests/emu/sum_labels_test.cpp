// Traces of sums tell who is in them, because labels are united where the machine combines bytes.

#include "tests/support/catch.hpp"

#include <dcube/elements.hpp>
#include <dcube/machine.hpp>

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

using namespace dcube;

namespace {

// Two elements of a sum, which are a node's own, and room for more.
struct Elements {
    std::array<std::uint64_t, 2> own{};
    std::array<std::uint64_t, 2> sum{};
    std::array<std::uint64_t, 2> other{};
};

std::span<std::byte> bytes(std::array<std::uint64_t, 2>& elements)
{
    return std::as_writable_bytes(std::span(elements));
}

const Combine add = combiner(Operation::sum, ElementType::uint64);

using Program = std::function<Task(Node&, Elements&)>;

// "step from>to" and what stands in the trace of each piece: offset, length and who is in it.
std::vector<std::string> traced(const Program& program, unsigned threads = 1, ChannelKind channel = ChannelKind::slots)
{
    Machine machine(Topology::hypercube(2), {.threads = threads, .channel = channel});
    std::array<Elements, 4> memories;
    RunOptions options;
    options.labels = [&](NodeId node) {
        memories[node].own = {node + 1U, node + 11U};
        const auto self = std::make_shared<const Contributors>(node);
        return std::vector<Label>{{bytes(memories[node].own), {{}, {}, 0, 16, self}}};
    };
    std::vector<std::string> lines;
    options.trace = [&](const Transmission& t) {
        std::string line = std::to_string(t.step) + " " + std::to_string(t.from) + ">" + std::to_string(t.to);
        for (const Piece& piece : t.pieces)
            line += " " + std::to_string(piece.offset) + "+" + std::to_string(piece.length) + " " +
                    (piece.sum_of ? to_string(*piece.sum_of) : "?");
        lines.push_back(line);
    };
    machine.run([&](Node& me) { return program(me, memories[me.id()]); }, options);
    return lines;
}

using Lines = std::vector<std::string>;

// Steps 1 and 2: node 1 sends to node 0 and node 0 to node 2; what happens between them is `combine`'s.
template <class Between>
Program two_hops(const Between& between)
{
    return [=](Node& me, Elements& memory) -> Task {
        if (me.id() == 1)
            me.send(0, bytes(memory.own));
        co_await me.next_step();
        if (me.id() == 0)
            between(me, memory);
        co_await me.next_step();
        if (me.id() == 2)
            me.receive(1);
    };
}

}  // namespace

TEST_CASE("sum labels: a sum has the contributors that were combined", "[emu][sums]")
{
    SECTION("as they are received")
    {
        const auto lines = traced(two_hops([](Node& me, Elements& memory) {
            me.receive(0, bytes(memory.sum), bytes(memory.own), add);
            me.send(1, bytes(memory.sum));
        }));
        CHECK(lines == Lines{"1 1>0 0+16 node 1", "2 0>2 0+16 nodes 0-1"});
    }
    SECTION("out of the sender's memory")
    {
        const auto lines = traced(two_hops([](Node& me, Elements& memory) {
            const BorrowedPacket packet = me.receive(0);
            me.combine(bytes(memory.own), bytes(memory.own), packet, add);
            me.send(1, bytes(memory.own));
        }));
        CHECK(lines[1] == "2 0>2 0+16 nodes 0-1");
    }
    SECTION("after they were copied")
    {
        const auto lines = traced(two_hops([](Node& me, Elements& memory) {
            me.receive(0, bytes(memory.other));
            me.copy(bytes(memory.sum), bytes(memory.own));
            me.combine(bytes(memory.sum), bytes(memory.other), bytes(memory.sum), add);
            me.send(1, bytes(memory.sum));
        }));
        CHECK(lines[1] == "2 0>2 0+16 nodes 0-1");
    }
    SECTION("byte by byte")
    {
        const auto lines = traced(two_hops([](Node& me, Elements& memory) {
            me.receive(0, bytes(memory.other));
            const auto second = bytes(memory.own).subspan(8);
            me.combine(second, second, bytes(memory.other).subspan(8), add);
            me.send(1, bytes(memory.own));
        }));
        CHECK(lines[1] == "2 0>2 0+8 node 0 8+8 nodes 0-1");
    }
}

TEST_CASE("sum labels: sums that are kept apart have contributors of their own", "[emu][sums]")
{
    const auto received = [](Node& me, Elements& memory) {
        me.receive(0, bytes(memory.other));
        me.send(1, bytes(memory.other));
    };
    CHECK(traced(two_hops(received))[1] == "2 0>2 0+16 node 1");
    const auto own = [](Node& me, Elements& memory) {
        me.receive(0, bytes(memory.other));
        me.send(1, bytes(memory.own));
    };
    CHECK(traced(two_hops(own))[1] == "2 0>2 0+16 node 0");
}

TEST_CASE("sum labels: bytes that are not known to be a sum of different nodes' shares have no contributors",
          "[emu][sums]")
{
    SECTION("a contribution that is there twice")
    {
        const auto lines = traced(two_hops([](Node& me, Elements& memory) {
            me.receive(0, bytes(memory.other));
            me.combine(bytes(memory.sum), bytes(memory.own), bytes(memory.other), add);
            me.combine(bytes(memory.sum), bytes(memory.sum), bytes(memory.other), add);
            me.send(1, bytes(memory.sum));
        }));
        CHECK(lines == Lines{"1 1>0 0+16 node 1", "2 0>2 0+16 ?"});
    }
    SECTION("bytes of nobody, and nothing that is made of them")
    {
        const auto lines = traced(two_hops([](Node& me, Elements& memory) {
            me.receive(0, bytes(memory.sum), bytes(memory.sum), add);
            me.combine(bytes(memory.sum), bytes(memory.sum), bytes(memory.own), add);
            me.send(1, bytes(memory.sum));
        }));
        CHECK(lines[1] == "2 0>2 0+16 ?");
    }
    SECTION("bytes of another place of the message")
    {
        const auto lines = traced(two_hops([](Node& me, Elements& memory) {
            me.receive(0, bytes(memory.other));
            const auto first = bytes(memory.own).first(8);
            me.combine(first, first, bytes(memory.other).subspan(8), add);
            me.send(1, bytes(memory.own).first(8));
        }));
        CHECK(lines[1] == "2 0>2 8+8 ?");
    }
}

TEST_CASE("sum labels: from the step in which a program adds by hand no sum has contributors", "[emu][sums]")
{
    const Program by_hand = [](Node& me, Elements& memory) -> Task {
        for (Port port = 0; port < 2; ++port) {
            me.copy(bytes(memory.sum), bytes(memory.own));  // a place of its own for what is lent
            me.send(port, bytes(memory.sum));
            co_await me.next_step();
            me.receive(port, bytes(memory.other));
            if (me.id() == 0)
                memory.own[1] += memory.other[1];
            else
                me.combine(bytes(memory.own), bytes(memory.own), bytes(memory.other), add);
            co_await me.next_step();
        }
    };
    const Lines lines = traced(by_hand);
    REQUIRE(lines.size() == 8);
    for (NodeId node = 0; node < 4; ++node) {
        const std::string from = std::to_string(node);
        CHECK(lines[node] == "1 " + from + ">" + std::to_string(node ^ 1) + " 0+16 node " + from);
        CHECK(lines[4 + node] == "3 " + from + ">" + std::to_string(node ^ 2) + " 0+16 ?");
    }
    for (const unsigned threads : {2U, 4U})
        for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc})
            CHECK(traced(by_hand, threads, channel) == lines);
}

TEST_CASE("traces of sums are the same for any number of threads and either channel", "[emu][sums]")
{
    const Program doubling = [](Node& me, Elements& memory) -> Task {
        for (Port port = 0; port < 2; ++port) {
            std::array<std::uint64_t, 2>& lent = port == 0 ? memory.sum : memory.other;
            me.copy(bytes(lent), bytes(memory.own));
            me.send(port, bytes(lent));
            co_await me.next_step();
            me.receive(port, bytes(memory.own), bytes(memory.own), add);
        }
    };
    const Lines lines = traced(doubling);
    CHECK(lines == Lines{"1 0>1 0+16 node 0", "1 1>0 0+16 node 1", "1 2>3 0+16 node 2", "1 3>2 0+16 node 3",
                         "2 0>2 0+16 nodes 0-1", "2 1>3 0+16 nodes 0-1", "2 2>0 0+16 nodes 2-3",
                         "2 3>1 0+16 nodes 2-3"});
    for (const unsigned threads : {2U, 4U})
        for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc})
            CHECK(traced(doubling, threads, channel) == lines);
}
