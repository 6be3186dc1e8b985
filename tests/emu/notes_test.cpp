// Programs' notes about their own run: phases and counters.

#include "tests/support/catch.hpp"

#include <dcube/machine.hpp>

#include <string>
#include <vector>

using namespace dcube;

namespace {

using Phases = std::vector<Phase>;
using Counters = std::vector<Counter>;

// Node n is in "wait" for n steps, then sends over port 0 in "send", and counts.
Task in_phases(Node& me)
{
    static const std::byte packet{};
    me.phase("wait");
    for (NodeId step = 0; step < me.id() / 2; ++step) {
        co_await me.next_step();
        me.count("steps waited");
    }
    me.phase("send");
    me.send(0, std::span(&packet, 1));
    co_await me.next_step();
    me.receive(0);
    me.count("received", 10 * me.id());
}

}  // namespace

TEST_CASE("a phase lasts from the first to the last step that any node spends in it", "[emu]")
{
    for (const unsigned threads : {1U, 4U}) {
        Machine machine(Topology::hypercube(4), {.threads = threads});
        for (int run = 0; run < 2; ++run) {  // the second run begins with empty notes
            const Counts counts = machine.run(in_phases);
            CHECK(counts.steps == 8);
            CHECK(counts.phases == Phases{{"wait", 1, 7}, {"send", 1, 8}});
            CHECK(counts.counters == Counters{{"received", 1200}, {"steps waited", 56}});
        }
    }
}

TEST_CASE("a phase ends where the next begins, and one without a step has its last before its first", "[emu]")
{
    Machine machine(Topology::hypercube(1));
    const auto program = [](Node& me) -> Task {
        me.phase("first");
        co_await me.next_step();
        me.phase("empty");
        me.phase("second");
        co_await me.until(5);
        me.phase({});
        co_await me.until(8);
        me.phase("first");
        co_await me.next_step();
    };
    CHECK(machine.run(program).phases == Phases{{"first", 1, 8}, {"empty", 2, 1}, {"second", 2, 4}});
}

TEST_CASE("a node that leaves a phase in the step in which it entered it has no part in the phase's steps", "[emu]")
{
    const auto passes = [](Node& me) -> Task {
        if (me.id() % 2 == 1) {
            co_await me.until(me.id() == 3 ? 2 : 6);
            me.phase("a");
            me.phase("b");
            co_await me.until(8);
        }
    };
    const auto stays = [=](Node& me) -> Task {
        co_await passes(me);
        if (me.id() % 2 == 0) {
            co_await me.until(3);
            me.phase("a");
            co_await me.until(5);
        }
    };
    for (const unsigned threads : {1U, 4U}) {  // with four, nodes are in different chunks
        Machine machine(Topology::hypercube(6), {.threads = threads});
        CHECK(machine.run(stays).phases == Phases{{"b", 2, 7}, {"a", 3, 4}});
        CHECK(machine.run(passes).phases == Phases{{"a", 2, 1}, {"b", 2, 7}});
    }
}

TEST_CASE("a phase and a counter of every step are all there, in their order", "[emu]")
{
    static constexpr Step steps = 20'000;
    Machine machine(Topology::hypercube(1));
    const Counts counts = machine.run([](Node& me) -> Task {
        for (Step step = 1; step <= steps; ++step) {
            me.phase(std::to_string(step));
            me.count(std::to_string(step % 10'000), step);
            co_await me.next_step();
        }
    });
    CHECK(counts.phases.size() == steps);
    CHECK(counts.phases[12'344] == Phase{"12345", 12'345, 12'345});
    CHECK(counts.counters.size() == 10'000);
    CHECK(counts.counters[0] == Counter{"0", 2 * (10'000 + 20'000)});
}

TEST_CASE("a run without phases and counters has none", "[emu]")
{
    Machine machine(Topology::hypercube(1));
    machine.run(in_phases);
    const Counts counts = machine.run([](Node&) -> Task { co_return; });
    CHECK(counts.phases.empty());
    CHECK(counts.counters.empty());
}

TEST_CASE("a trace has the phase of every packet's sender", "[emu]")
{
    Machine machine(Topology::hypercube(1));
    std::vector<std::string> phases;
    RunOptions options;
    options.trace = [&](const Transmission& packet) { phases.emplace_back(packet.phase); };
    machine.run(
        [](Node& me) -> Task {
            static const std::byte packet{};
            if (me.id() == 1)
                me.phase("of \"one\"");
            me.send(0, std::span(&packet, 1));
            co_await me.next_step();
            me.receive(0);
        },
        options);
    CHECK(phases == std::vector<std::string>{"", "of \"one\""});
}
