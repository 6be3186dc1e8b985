// One port on links that take time: packets wait for the ports of both their ends, in the order of steps, whatever the
// threads do; on half duplex a node sends or receives.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/links.hpp"
#include "tests/support/local_world.hpp"

#include <dcube/machine.hpp>
#include <dcube/random.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace dcube;
using namespace test_support;

namespace {

struct PlannedPacket {
    NodeId from;
    NodeId to;
    std::size_t bytes;
};
using PlannedSteps = std::vector<std::vector<PlannedPacket>>;

constexpr std::array<std::byte, 64> zeros{};

LinkModel one_port_links(Duplex duplex, LinkClock clock = LinkClock::data_driven)
{
    LinkModel link = link_bound(2, 7);
    link.duplex = duplex;
    link.clock = clock;
    return link;
}

// On a complete graph.
Port port_towards(NodeId nodes, NodeId from, NodeId to)
{
    return (to + nodes - from - 1) % nodes;
}

// Each packet is received in the step after it was sent.
Machine::Program program_of(const PlannedSteps& plan, NodeId nodes)
{
    return [&plan, nodes](Node& me) -> Task {
        for (const std::vector<PlannedPacket>& step : plan) {
            for (const PlannedPacket& one : step)
                if (one.from == me.id())
                    me.send(port_towards(nodes, one.from, one.to), std::span(zeros).first(one.bytes));
            co_await me.next_step();
            for (const PlannedPacket& one : step)
                if (one.to == me.id())
                    static_cast<void>(me.receive(port_towards(nodes, one.to, one.from)));
        }
    };
}

// The same by the rules as they are written down.
Time time_by_rules(const PlannedSteps& plan, NodeId nodes, const LinkModel& link)
{
    std::vector<Time> usable(nodes);
    std::vector<Time> sending(nodes);
    std::vector<Time> receiving(nodes);
    Time last = 0;
    for (const std::vector<PlannedPacket>& step : plan) {
        std::vector<std::pair<NodeId, Time>> arrived;
        const Time begin = last;
        for (const auto& [from, to, bytes] : step) {
            Time start = std::max({usable[from], sending[from], receiving[to]});
            if (link.duplex == Duplex::half)
                start = std::max({start, receiving[from], sending[to]});
            if (link.clock == LinkClock::lockstep)
                start = begin;
            const Time end = start + 2 * bytes + 7;
            sending[from] = receiving[to] = end;
            arrived.emplace_back(to, end);
        }
        for (const auto& [to, end] : arrived) {
            usable[to] = std::max(usable[to], end);
            last = std::max(last, end);
        }
    }
    return last;
}

Counts run_plan(const PlannedSteps& plan, NodeId nodes, const MachineOptions& options)
{
    Machine machine(Topology::product({Graph::complete(nodes)}), options);
    return machine.run(program_of(plan, nodes));
}

std::optional<RuleViolation> broken_by(const PlannedSteps& plan, NodeId nodes, const MachineOptions& options)
{
    try {
        run_plan(plan, nodes, options);
    } catch (const RuleViolation& violation) {
        return violation;
    }
    return std::nullopt;
}

MachineOptions options_of(const LinkModel& link, unsigned threads = 1, PortModel ports = PortModel::one)
{
    MachineOptions options;
    options.ports = ports;
    options.link = link;
    options.threads = threads;
    return options;
}

// In every step some nodes send, each to another one that no other node sends to; on half duplex no node does both.
PlannedSteps drawn_plan(Random& random, NodeId nodes, Duplex duplex)
{
    PlannedSteps plan(12);
    for (std::vector<PlannedPacket>& step : plan) {
        std::vector<NodeId> senders(nodes);
        std::iota(senders.begin(), senders.end(), NodeId{0});
        std::vector<NodeId> receivers = senders;
        for (std::size_t i = nodes - 1; i > 0; --i) {
            std::swap(senders[i], senders[random.below(i + 1)]);
            std::swap(receivers[i], receivers[random.below(i + 1)]);
        }
        std::vector<bool> used(nodes);
        for (NodeId i = 0; i < nodes; ++i) {
            const NodeId from = senders[i];
            const NodeId to = receivers[i];
            if (from == to || random.below(4) == 0 || (duplex == Duplex::half && (used[from] || used[to])))
                continue;
            used[from] = used[to] = true;
            step.push_back({from, to, random.below(zeros.size())});
        }
    }
    return plan;
}

}  // namespace

TEST_CASE("one port: a node sends one packet at a time, and receives one at a time", "[emu][ports]")
{
    const PlannedSteps out = {{{0, 1, 10}}, {{0, 2, 10}}};  // 27 ns each
    const PlannedSteps in = {{{1, 0, 10}}, {{2, 0, 10}}};
    const PlannedSteps swap = {{{0, 1, 10}, {1, 0, 10}}};
    const auto time_of = [](const PlannedSteps& plan, const LinkModel& link, PortModel ports = PortModel::one) {
        return run_plan(plan, 3, options_of(link, 1, ports)).virtual_time;
    };
    const LinkModel plain = one_port_links(Duplex::per_link);
    CHECK(time_of(out, plain, PortModel::all) == 27);
    CHECK(time_of(in, plain, PortModel::all) == 27);
    for (const Duplex duplex : {Duplex::per_link, Duplex::full, Duplex::half}) {  // with one port full is usual
        CHECK(time_of(out, one_port_links(duplex)) == 54);
        CHECK(time_of(in, one_port_links(duplex)) == 54);
    }
    CHECK(time_of(swap, one_port_links(Duplex::full)) == 27);
    const PlannedSteps in_turn = {{{0, 1, 10}}, {{1, 0, 10}}};
    CHECK(time_of(in_turn, one_port_links(Duplex::half)) == 54);
    // What node 1 sends on is usable from 27 on; what node 2 sends is held up by its receiver alone.
    const PlannedSteps meeting = {{{0, 1, 10}}, {{2, 1, 0}}, {{2, 3, 0}}};
    CHECK(run_plan(meeting, 4, options_of(one_port_links(Duplex::full))).virtual_time == 27 + 7 + 7);
}

TEST_CASE("one port: what nodes with one port must not do", "[emu][ports][negative]")
{
    const auto broken = [](const PlannedSteps& plan, Duplex duplex) {
        std::string words;
        for (const unsigned threads : {1U, 2U, 4U}) {
            const auto violation = broken_by(plan, 4, options_of(one_port_links(duplex), threads));
            const std::string here = violation ? violation->what() : "nothing";
            CHECK((words.empty() || here == words));
            words = here;
        }
        return words;
    };
    CHECK_THAT(broken({{}, {{0, 1, 1}, {0, 2, 1}}}, Duplex::full),
               Catch::StartsWith("second-send in step 2 at node 0"));
    CHECK_THAT(broken({{{1, 0, 1}, {2, 0, 1}}}, Duplex::full), Catch::StartsWith("second-receive in step 1 at node 0"));
    CHECK(broken({{{0, 1, 1}, {1, 2, 1}}}, Duplex::full) == "nothing");
    const std::string both = broken({{{0, 1, 1}, {1, 2, 1}}}, Duplex::half);
    CHECK_THAT(both, Catch::StartsWith("second-receive in step 1 at node 1"));
    CHECK_THAT(both, Catch::Contains("a packet arrives in a step in which the node sends, on half duplex"));
    CHECK_THAT(broken({{{0, 1, 1}, {1, 0, 1}}}, Duplex::half), Catch::StartsWith("second-receive in step 1 at node 0"));
    CHECK(broken({{{0, 1, 1}, {3, 2, 1}}, {{1, 3, 1}}}, Duplex::half) == "nothing");
}

TEST_CASE("one port: times are those of the rules, for any threads and channels", "[emu][ports]")
{
    Random random(17);
    for (int round = 0; round < 30; ++round)
        for (const Duplex duplex : {Duplex::full, Duplex::half})
            for (const LinkClock clock : {LinkClock::data_driven, LinkClock::lockstep}) {
                const auto nodes = static_cast<NodeId>(3 + random.below(14));
                const PlannedSteps plan = drawn_plan(random, nodes, duplex);
                const LinkModel link = one_port_links(duplex, clock);
                const Time expected = time_by_rules(plan, nodes, link);
                for (const unsigned threads : {1U, 2U, 4U})
                    for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc}) {
                        CAPTURE(round, name(duplex), name(clock), nodes, threads, name(channel));
                        MachineOptions options = options_of(link, threads);
                        options.channel = channel;
                        Machine machine(Topology::product({Graph::complete(nodes)}), options);
                        CHECK(machine.run(program_of(plan, nodes)).virtual_time == expected);
                        CHECK(machine.run(program_of(plan, nodes)).virtual_time == expected);  // nothing is left
                    }
            }
}

TEST_CASE("one port: a packet that is lost holds its sender's port only", "[emu][ports]")
{
    // Node 1 is the receiver of both; the first packet does not come.
    const PlannedSteps plan = {{{0, 1, 20}}, {{2, 1, 0}}};
    Machine machine(Topology::product({Graph::complete(3)}), options_of(one_port_links(Duplex::full)));
    std::vector<Time> starts;
    RunOptions run;
    run.failing = {{0, 1, 1}};
    run.trace = [&](const Transmission& one) { starts.push_back(one.start); };
    const auto only_second = [&plan](Node& me) -> Task {
        for (const std::vector<PlannedPacket>& step : plan) {
            for (const PlannedPacket& one : step)
                if (one.from == me.id())
                    me.send(port_towards(3, one.from, one.to), std::span(zeros).first(one.bytes));
            co_await me.next_step();
        }
        if (me.id() == 1)
            static_cast<void>(me.receive(port_towards(3, 1, 2)));
    };
    machine.run(only_second, run);
    CHECK(starts == std::vector<Time>{0, 0});
}

TEST_CASE("one port: a duplex that does not suit the ports or links is refused", "[emu][ports][negative]")
{
    const auto refused = [](const LinkModel& link, PortModel ports, const char* network = "ring:5") {
        return error_of([&] { Machine machine(Topology::parse(network), options_of(link, 1, ports)); });
    };
    LinkModel unit;
    unit.duplex = Duplex::half;
    CHECK_THAT(refused(unit, PortModel::one), Catch::StartsWith("duplex half is for the link-bound model"));
    CHECK_THAT(refused(one_port_links(Duplex::half), PortModel::all), Catch::StartsWith("duplex half is for one port"));
    CHECK_THAT(refused(one_port_links(Duplex::full), PortModel::all), Catch::StartsWith("duplex full is for one port"));
    CHECK_THAT(refused(one_port_links(Duplex::full), PortModel::one, "dgx-1"),
               Catch::StartsWith("ports one is not possible on dgx-1, whose nodes or links differ"));
    Machine machine(Topology::parse("ring:5"), options_of(one_port_links(Duplex::per_link)));
    CHECK(machine.link().duplex == Duplex::full);
    CHECK(error_of([] { static_cast<void>(parse_duplex("per-link")); }).starts_with("'per-link' is not a duplex"));
    for (const Duplex duplex : {Duplex::full, Duplex::half})
        CHECK(parse_duplex(name(duplex)) == duplex);
}

TEST_CASE("one port: several ranks need the lockstep clock", "[emu][ports][ranks][negative]")
{
    const PlannedSteps plan = {{{0, 3, 10}, {1, 2, 4}}, {{0, 1, 1}, {3, 2, 5}}};
    std::string refusal;
    Time lockstep = 0;
    run_ranks(2, [&](const std::shared_ptr<World>& world) {
        MachineOptions options = options_of(one_port_links(Duplex::half));
        options.world = world;
        std::string here;
        try {
            Machine machine(Topology::product({Graph::complete(4)}), options);
        } catch (const InvalidArgument& error) {
            here = error.what();
        }
        options.link.clock = LinkClock::lockstep;
        const Time time = run_plan(plan, 4, options).virtual_time;
        if (world->rank() == 0)
            std::tie(refusal, lockstep) = std::pair(here, time);
    });
    CHECK_THAT(refusal, Catch::StartsWith("ranks 2 is not possible with one port on links that take time"));
    CHECK(lockstep == time_by_rules(plan, 4, one_port_links(Duplex::half, LinkClock::lockstep)));
}
