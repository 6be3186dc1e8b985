// Runs that are asked for what they cannot do, or at the wrong time; and what ends a run whatever the program does.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/small_programs.hpp"

#include <dcube/machine.hpp>

#include <array>
#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

using namespace dcube;
using namespace test_support;
using test_support::error_of;

namespace {

Task exchange(Node& me)
{
    me.send(0, eight);
    co_await me.next_step();
    me.receive(0);
}

// Breaks a rule in step 2 by calling `wrong`, and goes on as if nothing had happened.
Machine::Program swallowing(const std::function<void(Node&)>& wrong)
{
    return [&wrong](Node& me) -> Task {
        co_await me.next_step();
        if (me.id() == 2) {
            try {
                wrong(me);
            } catch (const std::exception&) {
            }
        }
        co_await me.next_step();
        co_await me.next_step();
    };
}

// Lends its bytes when it is destroyed.
struct SendsAtTheEnd {
    Node& me;
    explicit SendsAtTheEnd(Node& node) : me(node) {}
    SendsAtTheEnd(const SendsAtTheEnd&) = delete;
    SendsAtTheEnd& operator=(const SendsAtTheEnd&) = delete;
    ~SendsAtTheEnd() { me.send(0, eight); }
};

const std::string busy = " is not possible while the machine is running";

}  // namespace

TEST_CASE("a broken rule ends the run, whatever the program does with the exception", "[emu][negative]")
{
    for (const unsigned threads : {1U, 2U, 4U}) {
        Machine machine(Topology::hypercube(3), {.threads = threads});
        const auto caught_text = [&](const std::function<void(Node&)>& wrong) {
            return error_of([&] { machine.run(swallowing(wrong)); });
        };
        CHECK(caught_text([](Node& me) { me.receive(1); }) ==
              "nothing-arrived in step 2 at node 2, port 1: no packet waits to be received");
        CHECK(caught_text([](Node& me) { me.send(3, eight); }) ==
              "no-such-port in step 2 at node 2, port 3: the node has no such port");
        CHECK(caught_text([](Node& me) {
                  me.send(1, eight);
                  me.send(1, eight);
              }) == "link-busy in step 2 at node 2, port 1: a second packet on one link in one step");
        CHECK(machine.run(exchange).steps == 1);
    }
}

TEST_CASE("a swallowed channel-full is reported as the sender's all the same", "[emu][negative]")
{
    Machine machine(Topology::hypercube(1));
    const auto program = [](Node& me) -> Task {
        if (me.id() == 1) {
            for (int i = 0; i < 3; ++i) {
                me.send(0, eight);
                co_await me.next_step();
            }
            co_return;
        }
        co_await me.until(3);
        try {
            me.receive(0);
        } catch (const RuleViolation&) {
        }
    };
    CHECK_THAT(error_of([&] { machine.run(program); }), Catch::Contains("channel-full in step 2 at node 1, port 0"));
}

TEST_CASE("a run has at most 2^31-2 steps, and says so", "[emu][negative]")
{
    Machine machine(Topology::hypercube(1));
    constexpr Step last = (Step{1} << 31) - 1;
    const auto sends_in = [](Step step) {
        return [step](Node& me) -> Task {
            co_await me.until(step);
            me.send(0, eight);
            co_await me.next_step();
            me.receive(0);
        };
    };
    CHECK(machine.run(sends_in(last - 1)).steps == last - 1);
    for (const Step beyond : {last, last + 1, last + 2, ~Step{0} - 1, ~Step{0}})
        CHECK(error_of([&] { machine.run(sends_in(beyond)); }) ==
              "too-many-steps in step 2147483647 at node 0: a run has at most 2^31-2 steps");
}

TEST_CASE("too many steps are found at once, also where every step is told, and named by the node that goes on",
          "[emu][negative]")
{
    Machine machine(Topology::hypercube(2));
    std::uint64_t told = 0;
    RunOptions options;
    options.on_step = [&](Step) { ++told; };
    const auto program = [](Node& me) -> Task {
        if (me.id() == 1)
            co_await me.arrival(1);
        if (me.id() == 3)
            co_await me.until(~Step{0});
        co_await me.next_step();
    };
    CHECK(error_of([&] { machine.run(program, options); }) ==
          "too-many-steps in step 2147483647 at node 3: a run has at most 2^31-2 steps");
    CHECK(told < 10);
}

TEST_CASE("a machine does one thing at a time, and says so whoever asks for more", "[emu][negative]")
{
    for (const unsigned threads : {1U, 2U}) {
        Machine machine(Topology::hypercube(4), {.threads = threads});
        const auto run = [&] { machine.run(idles); };
        const auto visit = [&] { machine.for_each_node([](NodeId) {}); };
        RunOptions steps;
        steps.on_step = [&](Step) { run(); };
        CHECK(error_of([&] { machine.run(exchange, steps); }) == "another run" + busy);
        steps.on_step = [&](Step) { visit(); };
        CHECK(error_of([&] { machine.run(exchange, steps); }) == "for_each_node" + busy);
        RunOptions traced;
        traced.trace = [&](const Transmission&) { run(); };
        CHECK(error_of([&] { machine.run(exchange, traced); }) == "another run" + busy);
        const auto in_program = [](const std::function<void()>& work) {
            return [&work](Node& me) -> Task {
                co_await me.next_step();
                if (me.id() == 5)
                    work();
            };
        };
        CHECK(error_of([&] { machine.run(in_program(run)); }) ==
              "the program of node 5 failed in step 2: another run" + busy);
        CHECK(error_of([&] { machine.run(in_program(visit)); }) ==
              "the program of node 5 failed in step 2: for_each_node" + busy);
        CHECK(error_of([&] { machine.for_each_node([&](NodeId) { run(); }); }) == "another run" + busy);
        CHECK(error_of([&] { machine.for_each_node([&](NodeId) { visit(); }); }) == "for_each_node" + busy);
        CHECK(machine.run(exchange).transmissions == 16);
    }
}

TEST_CASE("nothing is sent before the first step", "[emu][negative]")
{
    for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc}) {
        Machine machine(Topology::hypercube(2), {.channel = channel});
        const auto too_early = [](Node& me) -> Task {
            me.send(0, eight);
            return one_step(me);
        };
        CHECK(error_of([&] { machine.run(too_early); }) == "the program of node 0 failed in step 1: a node sends and "
                                                           "receives in its program, while the machine is running it");
        CHECK(machine.run(exchange).transmissions == 4);
    }
}

TEST_CASE("what destructors send while a run is torn down goes nowhere", "[emu][negative]")
{
    for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc}) {
        Machine machine(Topology::hypercube(2), {.channel = channel});
        const auto fails = [](Node& me) -> Task {
            const SendsAtTheEnd sender(me);
            if (me.id() == 3)
                throw std::runtime_error("no more");
            co_await me.next_step();
            co_await me.next_step();
        };
        CHECK(error_of([&] { machine.run(fails); }) == "the program of node 3 failed in step 1: no more");
        CHECK(machine.run(one_step).transmissions == 0);
        CHECK(machine.run(exchange).transmissions == 4);
    }
}

TEST_CASE("another machine's broken rule is the program's own error", "[emu][negative]")
{
    Machine machine(Topology::hypercube(2));
    const auto nested = [](Node& me) -> Task {
        co_await me.next_step();
        if (me.id() != 1)
            co_return;
        Machine inner(Topology::hypercube(1), {.threads = 1});
        inner.run([](Node& node) -> Task {
            node.receive(0);
            co_return;
        });
    };
    try {
        machine.run(nested);
        FAIL("nothing was thrown");
    } catch (const ProgramError& error) {
        CHECK(error.step == 2);
        CHECK(error.node == 1);
        CHECK(std::string(error.what()) == "the program of node 1 failed in step 2: nothing-arrived in step 1 at node "
                                           "0, port 0: no packet waits to be received");
        CHECK_THROWS_AS(std::rethrow_if_nested(error), RuleViolation);
    }
}

TEST_CASE("a stop that comes when all programs have ended changes nothing", "[emu]")
{
    Machine machine(Topology::hypercube(2));
    for (const bool while_they_run : {false, true}) {
        StopSource stop;
        RunOptions options;
        options.stop = stop.get_token();
        options.on_step = [&](Step step) {
            if (while_they_run && step == 1)  // the packets are still to be received
                stop.request_stop();
        };
        const auto program = [&](Node& me) -> Task {
            me.send(0, eight);
            co_await me.next_step();
            me.receive(0);
            stop.request_stop();
        };
        if (while_they_run)
            CHECK_THROWS_AS(machine.run(program, options), Interrupted);
        else
            CHECK(machine.run(program, options).steps == 1);
    }
}

TEST_CASE("on_step is called once for every step that counts", "[emu]")
{
    Machine machine(Topology::hypercube(3));
    std::vector<Step> called;
    RunOptions options;
    options.on_step = [&](Step step) { called.push_back(step); };
    CHECK(machine.run(idles, options).steps == 0);
    CHECK(called.empty());
    CHECK(machine.run(exchange, options).steps == 1);
    CHECK(called == std::vector<Step>{1});
    called.clear();
    const auto sleeps = [](Node& me) -> Task { co_await me.until(6); };
    CHECK(machine.run(sleeps, options).steps == 5);
    CHECK(called == std::vector<Step>{1, 2, 3, 4, 5});
}

TEST_CASE("a machine says how many threads really work", "[emu]")
{
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    CHECK(Machine(Topology::hypercube(10), {.threads = 1024}).threads() <= cores);
    CHECK(Machine(Topology::hypercube(10), {.threads = 1}).threads() == 1);
    CHECK(Machine(Topology::hypercube(0), {.threads = 64}).threads() == 1);
}

TEST_CASE("local work on every node: all get their turn, and the smallest node's exception is reported",
          "[emu][negative]")
{
    for (const unsigned threads : {1U, 2U, 4U}) {
        Machine machine(Topology::hypercube(8), {.threads = threads});
        std::array<std::atomic<int>, 256> visits{};
        CHECK_THROWS_WITH(machine.for_each_node([&visits](NodeId node) {
            ++visits[node];
            if (node % 50 == 49)
                throw std::runtime_error(std::to_string(node));
        }),
                          "49");
        int all = 0;
        for (const auto& visit : visits)
            all += visit;
        CHECK(all == 256);
    }
}
