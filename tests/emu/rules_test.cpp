// Each rule of the machine has a program that breaks it, and the error names the rule, the step, the node and the port,
// whatever the channel and the number of threads.

#include "tests/support/catch.hpp"

#include "cli/commands/wrong_programs.hpp"

#include <dcube/machine.hpp>

#include <optional>
#include <string>

using namespace dcube;
using namespace dcube::wrong;

namespace {

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
