// Deadlocks, exceptions in programs, stops, and machines that cannot be had.

#include "tests/support/allocations.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/own_threads.hpp"

#include <dcube/machine.hpp>

#include <array>
#include <memory>
#include <new>

using namespace dcube;

namespace {

constexpr std::array<std::byte, 4> four{};

Task steps(Node& me, Step count)
{
    for (Step step = 0; step < count; ++step)
        co_await me.next_step();
}

// Nodes 0-3 and 8-11 wait on port 2 from step 7 on, the others on port 0 from step 9 on.
Task waits(Node& me)
{
    const bool early = (me.id() & 4) == 0;
    Task pause = steps(me, early ? 6 : 8);
    co_await pause;
    co_await me.arrival(early ? 2 : 0);
}

Task throws_deep_down(Node& me, int depth)
{
    if (depth == 0) {
        co_await me.next_step();
        if (me.id() % 4 == 3)
            throw std::out_of_range("node " + std::to_string(me.id()) + " has had enough");
        co_return;
    }
    Task deeper = throws_deep_down(me, depth - 1);
    co_await deeper;
}

Task catches_a_sub_task(Node& me, int& caught)
{
    Task sub = throws_deep_down(me, 3);
    try {
        co_await sub;
    } catch (const std::out_of_range&) {
        ++caught;
    }
    co_await me.next_step();
}

std::string message_of(Machine& machine, const Machine::Program& program)
{
    try {
        machine.run(program);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("a deadlock is told at once, with who waits for what in ranges", "[emu][negative]")
{
    for (const unsigned threads : {1U, 2U, 4U}) {
        Machine machine(Topology::hypercube(4), {.threads = threads});
        CHECK(message_of(machine, waits) ==
              "deadlock in step 9 at node 0, port 2: waiting on port 2 since step 7: nodes 0-3, "
              "8-11; waiting on port 0 since step 9: nodes 4-7, 12-15");
    }
}

TEST_CASE("waiting for a packet that comes late is no deadlock", "[emu]")
{
    Machine machine(Topology::hypercube(1));
    const auto program = [](Node& me) -> Task {
        if (me.id() == 0) {
            Task pause = steps(me, 5);
            co_await pause;
            me.send(0, four);
            co_await me.next_step();
        } else {
            co_await me.arrival(0);
            me.receive(0);
        }
    };
    CHECK(machine.run(program).steps == 6);
}

TEST_CASE("the smallest node's exception ends the run, with node, step and the original nested", "[emu][negative]")
{
    for (const unsigned threads : {1U, 2U, 4U}) {
        Machine machine(Topology::hypercube(6), {.threads = threads});
        try {
            machine.run([](Node& me) { return throws_deep_down(me, 5); });
            FAIL("nothing was thrown");
        } catch (const ProgramError& error) {
            CHECK(error.node == 3);
            CHECK(error.step == 2);
            CHECK_THAT(error.what(), Catch::Contains("node 3 has had enough"));
            CHECK_THROWS_AS(std::rethrow_if_nested(error), std::out_of_range);
        }
        CHECK(machine.run([](Node& me) { return steps(me, 3); }).steps == 3);
    }
}

TEST_CASE("a task can catch what its sub-task throws", "[emu]")
{
    Machine machine(Topology::hypercube(4), {.threads = 1});
    int caught = 0;
    CHECK(machine.run([&caught](Node& me) { return catches_a_sub_task(me, caught); }).steps == 2);
    CHECK(caught == 4);
}

TEST_CASE("a function that fails before it makes a task leaves a machine that runs again", "[emu][negative]")
{
    Machine machine(Topology::hypercube(3));
    const auto refuses = [](Node& me) -> Task {
        if (me.id() == 5)
            throw std::runtime_error("no");
        return steps(me, 1);
    };
    try {
        machine.run(refuses);
        FAIL("nothing was thrown");
    } catch (const ProgramError& error) {
        CHECK(error.what() == std::string("the program of node 5 failed in step 1: no"));
        CHECK(error.node == 5);
        CHECK_THROWS_AS(std::rethrow_if_nested(error), std::runtime_error);
    }
    CHECK(machine.run([](Node& me) { return steps(me, 2); }).steps == 2);
}

TEST_CASE("an empty function is not a program", "[emu][negative]")
{
    Machine machine(Topology::hypercube(3));
    CHECK_THROWS_WITH(machine.run({}), "an empty function is not a program");
    CHECK_THROWS_AS(machine.run({}), InvalidArgument);
}

namespace {

// Own threads, so that those who come for a step are not the caller alone.
Machine machine_of(unsigned d, unsigned threads)
{
    return Machine(Topology::hypercube(d), {.threads = threads,
                                            .workers = std::make_shared<test_support::OwnThreads>(
                                                threads, test_support::OwnThreads::When::always)});
}

}  // namespace

TEST_CASE("an exception in the machine itself ends the run, on any number of threads", "[emu][negative]")
{
    for (const unsigned threads : {1U, 2U, 4U}) {
        Machine machine = machine_of(8, threads);
        std::array<Port, 2> ports{0, 1};  // node 77's, which waits from step 1 on
        const auto changes_a_borrowed_list = [&](Node& me) -> Task {
            if (me.id() == 77) {
                co_await me.any_arrival(ports);
            } else if (me.id() == 76) {
                co_await me.until(9);
                me.send(0, four);  // wakes it
                co_await me.until(12);
            } else if (me.id() == 200) {
                co_await me.until(7);
                ports[0] = 99;
            }
        };
        CHECK(message_of(machine, changes_a_borrowed_list) ==
              "no-such-port in step 10 at node 77, port 99: the node has no such port");
        CHECK(machine.run([](Node& me) { return steps(me, 3); }).steps == 3);
    }
}

#ifndef DCUBE_SANITIZED
TEST_CASE("a machine that finds no memory in a step says so, and runs again", "[emu][negative]")
{
    for (const unsigned threads : {1U, 2U, 4U}) {
        Machine machine = machine_of(8, threads);
        RunOptions options;
        options.on_step = [](Step step) {
            if (step == 4)
                test_support::refuse_allocation();
        };
        const auto sleeps = [](Node& me) -> Task {
            Task pause = steps(me, 4);
            co_await pause;
            co_await me.until(10 + me.id());  // in step 5 the sleepers' list is made
        };
        try {
            machine.run(sleeps, options);
            FAIL("nothing was thrown");
        } catch (const Error& error) {
            CHECK_THAT(error.what(), Catch::Matches("the machine failed in step 5 at node [0-9]+: std::bad_alloc"));
            CHECK_THROWS_AS(std::rethrow_if_nested(error), std::bad_alloc);
        }
        CHECK(machine.run([](Node& me) { return steps(me, 3); }).steps == 3);
    }
}
#endif

TEST_CASE("a requested stop ends the run after the current step", "[emu][negative]")
{
    Machine machine(Topology::hypercube(3));
    StopSource stop;
    RunOptions options;
    options.stop = stop.get_token();
    Step last = 0;
    options.on_step = [&](Step step) {
        last = step;
        if (step == 4)
            stop.request_stop();
    };
    CHECK_THROWS_AS(machine.run([](Node& me) { return steps(me, 1000); }, options), Interrupted);
    CHECK(last == 4);
}

TEST_CASE("a trace sink that throws ends the run with its exception", "[emu][negative]")
{
    Machine machine(Topology::hypercube(3));
    RunOptions options;
    options.trace = [](const Transmission&) { throw std::runtime_error("disk full"); };
    const auto program = [](Node& me) -> Task {
        me.send(0, four);
        co_await me.next_step();
        me.receive(0);
    };
    CHECK_THROWS_WITH(machine.run(program, options), "disk full");
    CHECK_NOTHROW(machine.run(program));
}

TEST_CASE("machines with impossible options are refused in one line", "[emu][negative]")
{
    const Topology cube = Topology::hypercube(10);
    CHECK_THROWS_WITH(Machine(cube, {.channel_capacity = 0}), "capacity 0 is too small: 1 to 1048576 are allowed");
    CHECK_THROWS_WITH(Machine(cube, {.threads = 5000}), "threads 5000 is too large: 1 to 1024 are allowed");
    CHECK_THROWS_WITH(
        Machine(cube, {.memory_limit = 1000}),
        Catch::Contains("hypercube:10 would need " + std::to_string(machine_memory(cube, {})) + " bytes") &&
            Catch::Contains("; available: 1000 bytes"));
    CHECK_THROWS_AS(Machine(Topology::hypercube(24), {.channel_capacity = 1 << 20}), InvalidArgument);
    CHECK_THROWS_WITH(Topology::hypercube(25), "a hypercube of dimension 25 is too large: 0 to 24 are allowed");
    CHECK_THROWS_AS(Topology::parse("hypercube:"), InvalidArgument);
    CHECK_THROWS_AS(Topology::parse("hypercube:3x"), InvalidArgument);
    CHECK(Topology::parse("hypercube:7").nodes() == 128);
}

TEST_CASE("local work on every node rethrows the first exception", "[emu][negative]")
{
    Machine machine(Topology::hypercube(8));
    CHECK_THROWS_WITH(machine.for_each_node([](NodeId node) {
        if (node == 77)
            throw std::runtime_error("77");
    }),
                      "77");
    std::array<std::atomic<int>, 256> visits{};
    machine.for_each_node([&visits](NodeId node) { ++visits[node]; });
    for (const auto& visit : visits)
        CHECK(visit == 1);
}
