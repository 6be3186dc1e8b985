// Each rule of the machine has a program that breaks it, and the error names the rule, the step, the node and the port,
// whatever the channel and the number of threads.

#include "tests/support/catch.hpp"

#include <dcube/machine.hpp>

#include <array>
#include <optional>

using namespace dcube;

namespace {

constexpr std::array<std::byte, 8> eight{};

using Program = Task (*)(Node&);

struct Expected {
    Rule rule;
    Step step;
    NodeId node;
    Port port;
};

std::optional<RuleViolation> violation_of(const Machine::Program& program, const MachineOptions& options, unsigned d)
{
    Machine machine(Topology::hypercube(d), options);
    try {
        machine.run(program);
    } catch (const RuleViolation& violation) {
        return violation;
    }
    return std::nullopt;
}

void check_caught(const Machine::Program& program, const Expected& expected, MachineOptions options = {},
                  unsigned d = 3)
{
    std::string message;
    for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc}) {
        for (const unsigned threads : {1U, 2U, 4U}) {
            CAPTURE(name(channel), threads);
            options.channel = channel;
            options.threads = threads;
            const std::optional<RuleViolation> violation = violation_of(program, options, d);
            REQUIRE(violation.has_value());
            CHECK(violation->rule == expected.rule);
            CHECK(violation->step == expected.step);
            CHECK(violation->node == expected.node);
            CHECK(violation->port == expected.port);
            if (message.empty())
                message = violation->what();
            CHECK(violation->what() == message);
        }
    }
    CHECK_THAT(message, Catch::Contains(std::string(name(expected.rule))));
}

Task idle_steps(Node& me, Step count)
{
    for (Step step = 0; step < count; ++step)
        co_await me.next_step();
}

Task uses_a_missing_port(Node& me)
{
    co_await me.next_step();
    if (me.id() >= 5)
        me.send(me.ports(), eight);
}

Task receives_at_a_missing_port(Node& me)
{
    if (me.id() == 6)
        me.receive(7);
    co_return;
}

Task sends_twice_on_a_link(Node& me)
{
    Task pause = idle_steps(me, 2);
    co_await pause;
    if (me.id() == 4) {
        me.send(1, eight);
        me.send(1, eight);
    }
}

Task sends_on_two_ports(Node& me)
{
    if (me.id() == 3) {
        me.send(0, eight);
        me.send(2, eight);
    }
    co_await me.next_step();
}

// Nodes 1 and 4 send to node 0 in step 2; nobody sends twice.
Task crowds_node_0(Node& me)
{
    co_await me.next_step();
    if (me.id() == 1 || me.id() == 4)
        me.send(me.id() == 1 ? 0 : 2, eight);
    co_await me.next_step();
}

Task receives_nothing(Node& me)
{
    co_await me.next_step();
    if (me.id() == 2)
        me.receive(1);
}

// A packet cannot be received in the step in which it is sent.
Task receives_too_early(Node& me)
{
    if (me.id() == 1)
        me.send(0, eight);
    if (me.id() == 0)
        me.receive(0);
    co_await me.next_step();
}

Task expects_another_size(Node& me)
{
    std::array<std::byte, 4> four{};
    if (me.id() == 7)
        me.send(2, eight);
    co_await me.next_step();
    if (me.id() == 3)
        me.receive(2, four);
}

Task leaves_a_packet(Node& me)
{
    co_await me.next_step();
    if (me.id() == 6)
        me.send(1, eight);
    co_await me.next_step();
}

// Node 5 sends in every step, and node 4 never receives.
Task fills_a_channel(Node& me)
{
    for (Step step = 1; step <= 10; ++step) {
        if (me.id() == 5)
            me.send(0, eight);
        co_await me.next_step();
    }
}

// Node 5 sends in every step; node 4 begins to receive two steps later.
Task receives_too_late(Node& me)
{
    for (Step step = 1; step <= 10; ++step) {
        if (me.id() == 5)
            me.send(0, eight);
        if (me.id() == 4 && step >= 3)
            me.receive(0);
        co_await me.next_step();
    }
}

Task changes_lent_bytes(Node& me)
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

Task breaks_rules_everywhere(Node& me)
{
    co_await me.next_step();
    if (me.id() >= 2)
        me.receive(me.id() % 3);
}

}  // namespace

TEST_CASE("a port that a node does not have is caught", "[emu][negative]")
{
    check_caught(uses_a_missing_port, {Rule::no_such_port, 2, 5, 3});
    check_caught(receives_at_a_missing_port, {Rule::no_such_port, 1, 6, 7});
}

TEST_CASE("a second packet on a link in one step is caught", "[emu][negative]")
{
    check_caught(sends_twice_on_a_link, {Rule::link_busy, 3, 4, 1});
}

TEST_CASE("a second send in one step is caught on one-port machines only", "[emu][negative]")
{
    check_caught(sends_on_two_ports, {Rule::second_send, 1, 3, 2}, {.ports = PortModel::one});
    CHECK(violation_of(sends_on_two_ports, {}, 3)->rule == Rule::never_received);
}

TEST_CASE("a second arrival in one step is caught on one-port machines only", "[emu][negative]")
{
    check_caught(crowds_node_0, {Rule::second_receive, 2, 0, 2}, {.ports = PortModel::one});
    CHECK(violation_of(crowds_node_0, {}, 3)->rule == Rule::never_received);
}

TEST_CASE("a receive of what has not arrived is caught", "[emu][negative]")
{
    check_caught(receives_nothing, {Rule::nothing_arrived, 2, 2, 1});
    check_caught(receives_too_early, {Rule::nothing_arrived, 1, 0, 0});
}

TEST_CASE("a packet of another size than expected is caught", "[emu][negative]")
{
    check_caught(expects_another_size, {Rule::size_mismatch, 2, 3, 2});
}

TEST_CASE("a packet that is never received is caught", "[emu][negative]")
{
    check_caught(leaves_a_packet, {Rule::never_received, 2, 4, 1});
}

TEST_CASE("an overfull channel is caught in the step that was one too many", "[emu][negative]")
{
    for (const std::size_t capacity : {1U, 2U, 3U})
        check_caught(fills_a_channel, {Rule::channel_full, static_cast<Step>(capacity + 1), 5, 0},
                     {.channel_capacity = capacity});
    check_caught(receives_too_late, {Rule::channel_full, 2, 5, 0}, {.channel_capacity = 1});
    check_caught(receives_too_late, {Rule::never_received, 9, 4, 0}, {.channel_capacity = 2});  // the oldest left
}

TEST_CASE("a sender that changes bytes it has lent is caught when lent bytes are watched", "[emu][negative]")
{
    check_caught(changes_lent_bytes, {Rule::lent_bytes_changed, 2, 2, 0}, {.watch_lent_bytes = true});
}

TEST_CASE("of many violations in a step the smallest node's is reported", "[emu][negative]")
{
    check_caught(breaks_rules_everywhere, {Rule::nothing_arrived, 2, 2, 2}, {}, 8);
}

TEST_CASE("a machine runs on after a violation", "[emu][negative]")
{
    Machine machine(Topology::hypercube(3));
    for (int time = 0; time < 3; ++time) {
        CHECK_THROWS_AS(machine.run(fills_a_channel), RuleViolation);
        const Counts counts = machine.run([](Node& me) { return idle_steps(me, 4); });
        CHECK(counts.steps == 4);
        CHECK(counts.transmissions == 0);
    }
}
