// Each rule of the machine has a program that breaks it, and the error names the rule, the step, the node and the port,
// whatever the channel and the number of threads.

#include "tests/support/catch.hpp"
#include "tests/support/wrong_programs.hpp"

#include <dcube/machine.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

using namespace dcube;
using namespace dcube::wrong;

namespace {

struct Expected {
    Rule rule;
    Step step;
    NodeId node;
    Port port;
};

std::optional<RuleViolation> violation_of(const Machine::Program& program, const MachineOptions& options, unsigned d,
                                          const RunOptions& run = {})
{
    Machine machine(Topology::hypercube(d), options);
    try {
        machine.run(program, run);
    } catch (const RuleViolation& violation) {
        return violation;
    }
    return std::nullopt;
}

void check_caught(const Machine::Program& program, const Expected& expected, MachineOptions options = {},
                  unsigned d = 3, const RunOptions& run = {})
{
    std::string message;
    for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc}) {
        for (const unsigned threads : {1U, 2U, 4U}) {
            CAPTURE(name(channel), threads);
            options.channel = channel;
            options.threads = threads;
            const std::optional<RuleViolation> violation = violation_of(program, options, d, run);
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

struct Broken {
    Expected expected;
    Machine::Program program;
    MachineOptions machine{};
    RunOptions run{};
};

std::vector<Broken> each_rule_broken()
{
    constexpr Port none = RuleViolation::no_port;
    const LinkModel slow{LinkKind::link_bound, {0, 1}, {std::numeric_limits<std::int64_t>::max(), 1}};
    return {
        {{Rule::no_such_port, 2, 5, 3}, uses_a_missing_port},
        {{Rule::link_busy, 3, 4, 1}, sends_twice_on_a_link},
        {{Rule::second_send, 1, 3, 2}, sends_on_two_ports, {.ports = PortModel::one}},
        {{Rule::second_receive, 2, 0, 2}, crowds_node_0, {.ports = PortModel::one}},
        {{Rule::channel_full, 2, 5, 0}, fills_a_channel},
        {{Rule::nothing_arrived, 2, 2, 1}, receives_nothing},
        {{Rule::size_mismatch, 2, 3, 2}, expects_another_size},
        {{Rule::never_received, 2, 4, 1}, leaves_a_packet},
        {{Rule::lent_bytes_changed, 2, 2, 0}, changes_lent_bytes, {.watch_lent_bytes = true}},
        {{Rule::deadlock, 3, 6, 1}, waits_in_vain},
        {{Rule::time_overflow, 3, 2, 0}, takes_too_long, {.link = slow}},
        {{Rule::too_many_steps, (Step{1} << 31) - 1, 0, none}, sleeps_too_long},
        {{Rule::not_together, 2, 3, 0}, begins_alone},
        {{Rule::task_not_awaited, 3, 5, none}, forgets_a_task},
        {{Rule::no_such_task, 2, 7, none}, awaits_a_task_twice},
        {{Rule::packet_lost, 1, 2, 0}, counts_on_packets, {}, {.failing = {{2, 3, 1}}}},
        {{Rule::stray_packet, 2, 4, 0}, begins_too_early},
    };
}

}  // namespace

TEST_CASE("each rule of the machine has a program that breaks it, which is caught where it does", "[emu][negative]")
{
    std::set<Rule> broken;
    for (const Broken& one : each_rule_broken()) {
        check_caught(one.program, one.expected, one.machine, 3, one.run);
        broken.insert(one.expected.rule);
    }
    CHECK(broken.size() == static_cast<std::size_t>(Rule::stray_packet) + 1);
}

TEST_CASE("a broken rule about a packet names the packet's sender, and when it was sent", "[emu][negative]")
{
    const auto packet_of = [](const Machine::Program& program) {
        return violation_of(program, {.watch_lent_bytes = true}, 3)->packet;
    };
    REQUIRE(packet_of(leaves_a_packet).has_value());
    CHECK(packet_of(leaves_a_packet)->sender == 6);
    CHECK(packet_of(leaves_a_packet)->step == 2);
    REQUIRE(packet_of(changes_lent_bytes).has_value());
    CHECK(packet_of(changes_lent_bytes)->sender == 2);
    CHECK(packet_of(changes_lent_bytes)->step == 1);
    CHECK_FALSE(packet_of(sends_twice_on_a_link).has_value());
}

TEST_CASE("a port that a node does not have is caught", "[emu][negative]")
{
    check_caught(receives_at_a_missing_port, {Rule::no_such_port, 1, 6, 7});
}

TEST_CASE("two packets that a node sends in one step are no mistake with all ports", "[emu][negative]")
{
    CHECK(violation_of(sends_on_two_ports, {}, 3)->rule == Rule::never_received);
}

TEST_CASE("two packets that arrive at a node in one step are no mistake with all ports", "[emu][negative]")
{
    CHECK(violation_of(crowds_node_0, {}, 3)->rule == Rule::never_received);
}

TEST_CASE("a packet cannot be received in the step in which it is sent", "[emu][negative]")
{
    check_caught(receives_too_early, {Rule::nothing_arrived, 1, 0, 0});
}

TEST_CASE("an overfull channel is caught in the step that was one too many", "[emu][negative]")
{
    for (const std::size_t capacity : {1U, 2U, 3U})
        check_caught(fills_a_channel, {Rule::channel_full, static_cast<Step>(capacity + 1), 5, 0},
                     {.channel_capacity = capacity});
    check_caught(receives_too_late, {Rule::channel_full, 2, 5, 0}, {.channel_capacity = 1});
    check_caught(receives_too_late, {Rule::never_received, 9, 4, 0}, {.channel_capacity = 2});  // the oldest left
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
