// Tasks that are awaited as they must not be, results of tasks, and wait objects that are awaited late.

#include "emu/script.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/small_programs.hpp"

#include <dcube/machine.hpp>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace dcube;
using namespace test_support;

namespace {

std::string error_of(const Machine::Program& program, unsigned d = 2)
{
    std::optional<std::string> first;
    for (const unsigned threads : {1U, 2U, 4U}) {
        Machine machine(Topology::hypercube(d), {.threads = threads});
        const std::string text = test_support::error_of([&] { machine.run(program); });
        CHECK(text == first.value_or(text));
        first = text;
        CHECK_NOTHROW(machine.run([](Node& me) -> Task { co_await me.next_step(); }));
    }
    return *first;
}

Task awaits(Node&, const std::optional<Task>& stored)
{
    co_await *stored;
}

TaskOf<std::string> name_after(Node& me, Step steps)
{
    for (Step step = 0; step < steps; ++step)
        co_await me.next_step();
    co_return "node " + std::to_string(me.id()) + std::string(40, '.');
}

TaskOf<std::unique_ptr<int>> number(Node& me)
{
    co_await me.next_step();
    co_return std::make_unique<int>(static_cast<int>(me.id()) * 10);
}

TaskOf<int> fails(Node& me, bool at_all)
{
    co_await me.next_step();
    if (at_all)
        throw std::runtime_error("no number");
    co_return 1;
}

}  // namespace

TEST_CASE("a task that is awaited twice is reported", "[emu][negative]")
{
    for (const bool at_once_too : {false, true}) {
        const auto twice = [at_once_too](Node& me) -> Task {
            co_await me.next_step();
            if (me.id() < 2)
                co_return;
            Task sub = at_once_too ? idles(me) : one_step(me);
            co_await sub;
            co_await sub;
        };
        CHECK(error_of(twice) == (at_once_too ? "no-such-task in step 2 at node 2: the task has ended"
                                              : "no-such-task in step 3 at node 2: the task has ended"));
    }
}

TEST_CASE("a task that is awaited when its frame serves another task is reported", "[emu][negative]")
{
    const auto late = [](Node& me) -> Task {
        Task first = one_step(me);
        co_await first;
        Task second = one_step(me);  // in the same memory
        co_await first;
        co_await second;
    };
    CHECK(error_of(late) == "no-such-task in step 2 at node 0: the task has ended");
}

TEST_CASE("a task that awaits itself is reported", "[emu][negative]")
{
    std::array<std::optional<Task>, 4> tasks;
    const auto itself = [&tasks](Node& me) -> Task {
        tasks[me.id()].emplace(awaits(me, tasks[me.id()]));
        co_await *tasks[me.id()];
    };
    CHECK(error_of(itself) == "no-such-task in step 1 at node 0: the task has begun already");
}

TEST_CASE("a task of another node is reported", "[emu][negative]")
{
    std::array<std::optional<Task>, 4> tasks;
    const auto steals = [&tasks](Node& me) -> Task {
        tasks[me.id()].emplace(one_step(me));
        co_await me.next_step();
        co_await *tasks[me.id() == 3 ? 2 : me.id()];
    };
    CHECK(error_of(steals) == "no-such-task in step 2 at node 3: the task is another node's");
}

TEST_CASE("what another node may wait for is awaited by nobody else", "[emu][negative]")
{
    static std::array<Node*, 4> nodes{};
    static constexpr std::array<Port, 1> ports{0};
    static constexpr std::array<Script::Stage, 1> stages{Script::Stage{1, 0}};
    enum Wait { step, until, arrival, any, script };
    for (const Wait wait : {step, until, arrival, any, script}) {
        const auto waits_in_its_place = [wait](Node& me) -> Task {
            nodes[me.id()] = &me;
            co_await me.next_step();
            Node& whose = me.id() >= 2 ? *nodes[0] : me;
            const Regions regions{};
            switch (wait) {
            case step: co_await whose.next_step(); break;
            case until: co_await whose.until(20); break;
            case arrival: co_await whose.arrival(0); break;
            case any: co_await whose.any_arrival(ports); break;
            case script: co_await follow(whose, {stages, {}}, regions); break;
            }
            co_await me.until(30);
        };
        CHECK(error_of(waits_in_its_place) == "no-such-task in step 2 at node 2: what it awaits is another node's");
    }
}

TEST_CASE("a program that is another node's task, or an old one, is refused", "[emu][negative]")
{
    Machine machine(Topology::hypercube(1), {.threads = 1});
    std::optional<Task> kept;
    const auto same_for_all = [&kept](Node& me) -> Task {
        if (!kept)
            kept.emplace(one_step(me));
        return *kept;
    };
    CHECK_THROWS_WITH(machine.run(same_for_all), "the program of node 1 cannot run: the task is another node's");
    CHECK_THROWS_WITH(machine.run(same_for_all), "the program of node 0 cannot run: the task has ended");
    CHECK(machine.run([](Node& me) { return one_step(me); }).steps == 1);
}

TEST_CASE("a task that is never awaited is reported when the run ends, the smallest node's", "[emu][negative]")
{
    const auto forgets = [](Node& me) -> Task {
        co_await me.next_step();
        if (me.id() >= 3) [[maybe_unused]]
            const Task forgotten = one_step(me);
    };
    CHECK(error_of(forgets, 6) ==
          "task-not-awaited in step 2 at node 3: a task was made, and not awaited: it has never run");
}

TEST_CASE("a program cannot go on from a task that it may not await", "[emu][negative]")
{
    const auto swallows = [](Node& me) -> Task {
        Task sub = idles(me);
        co_await sub;
        try {
            co_await sub;
        } catch (const RuleViolation&) {
        }
        co_await me.next_step();
    };
    CHECK(error_of(swallows) == "no-such-task in step 1 at node 0: the task has ended");
}

TEST_CASE("a task may have a result", "[emu]")
{
    Machine machine(Topology::hypercube(3), {.threads = 2});
    std::vector<std::string> names(8);
    std::vector<int> numbers(8);
    const auto program = [&](Node& me) -> Task {
        TaskOf<std::string> naming = name_after(me, me.id() % 2);
        names[me.id()] = co_await naming;
        TaskOf<std::unique_ptr<int>> sub = number(me);
        const std::unique_ptr<int> mine = co_await sub;
        numbers[me.id()] = *mine;
    };
    CHECK(machine.run(program).steps == 2);
    for (NodeId node = 0; node < 8; ++node) {
        CHECK(names[node] == "node " + std::to_string(node) + std::string(40, '.'));
        CHECK(numbers[node] == static_cast<int>(node) * 10);
    }
}

TEST_CASE("a task with a result can fail instead", "[emu]")
{
    Machine machine(Topology::hypercube(1), {.threads = 1});
    int caught = 0;
    int sum = 0;
    machine.run([&](Node& me) -> Task {
        TaskOf<int> sub = fails(me, me.id() == 1);
        try {
            sum += co_await sub;
        } catch (const std::runtime_error&) {
            ++caught;
        }
    });
    CHECK(caught == 1);
    CHECK(sum == 1);
    CHECK(error_of([](Node& me) -> Task {
              TaskOf<int> sub = fails(me, me.id() >= 1);
              co_await sub;
          }) == "the program of node 1 failed in step 2: no number");
}

TEST_CASE("a wait object decides when it is awaited, not when it is made", "[emu]")
{
    Machine machine(Topology::hypercube(1));
    std::array<Step, 2> steps{};
    machine.run([&steps](Node& me) -> Task {
        auto packet = me.arrival(0);  // nothing is there yet
        auto third = me.until(3);
        me.send(0, eight);
        co_await me.next_step();
        co_await packet;  // now it is
        me.receive(0);
        steps[0] = me.step();
        co_await me.until(5);
        co_await third;  // was before
        steps[1] = me.step();
    });
    CHECK(steps == std::array<Step, 2>{2, 5});
}

TEST_CASE("a script that is awaited later than it can begin is refused, and one that is awaited in time is not",
          "[emu]")
{
    static constexpr std::array<Script::Action, 2> actions{
        Script::Action{0, 0, 0, 0, Script::Action::Kind::send, Script::Place::input, false},
        Script::Action{0, 0, 0, 0, Script::Action::Kind::keep, Script::Place::output, true}};
    static constexpr std::array<Script::Stage, 2> stages{Script::Stage{1, 0}, Script::Stage{2, 1}};
    std::array<std::array<std::byte, 8>, 2> into{};
    const auto follows = [&](Step first) {
        return [&into, first](Node& me) -> Task {
            Regions regions{.bytes = 8};
            regions[Script::Place::input] = {const_cast<std::byte*>(eight.data()), 8, 0, 8};
            regions[Script::Place::output] = {into[me.id()].data(), 8, 0, 8};
            const Script script{stages, actions};
            auto following = follow(me, script, regions, first);
            co_await me.next_step();
            co_await me.next_step();
            co_await following;
        };
    };
    CHECK(error_of(follows(0), 1).empty());  // from the step in which it is awaited
    CHECK(error_of(follows(3), 1).empty());
    CHECK_THAT(error_of(follows(2), 1),
               Catch::Contains("a script whose first actions are in step 2 cannot begin in step 3"));
    CHECK_THAT(error_of(follows((Step{1} << 31) - 1), 1),
               Catch::Contains("a script cannot end in step 2147483648: a run has at most 2^31-2 steps"));
}
