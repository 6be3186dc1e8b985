// Ends of a run other than broken rules: exceptions, stops, deadlocks, sinks; on all ranks alike, wherever they
// happened.

#include "tests/support/alike_on_ranks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/local_world.hpp"
#include "tests/support/small_programs.hpp"
#include "tests/support/wrong_programs.hpp"

#include <dcube/machine.hpp>

#include <fmt/format.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace dcube;
using namespace dcube::wrong;
using namespace test_support;

namespace {

Task throws(Node& me)
{
    co_await me.until(3);
    throw std::out_of_range("node " + std::to_string(me.id()) + " has had enough");
}

// Exchanges with all neighbours, one dimension after the other.
Task exchanges(Node& me)
{
    std::array<std::byte, 8> theirs{};
    for (Port port = 0; port < me.ports(); ++port)
        co_await me.exchange(port, eight, theirs);
}

}  // namespace

TEST_CASE("ranks: a program's exception is told by all, and nested where it was thrown", "[emu][negative][world]")
{
    for (const Crossing link : crossings)
        CHECK(told_alike({on_link(link, throws, idles)}) ==
              fmt::format("the program of node {} failed in step 3: node {} has had enough", link.from, link.from));
    std::vector<bool> nested(3);
    run_ranks(3, [&](const std::shared_ptr<World>& world) {
        Machine machine(Topology::hypercube(3), {.threads = 1, .world = world});
        try {
            machine.run(on_link({7, 3}, throws, idles));
        } catch (const ProgramError& error) {
            try {
                std::rethrow_if_nested(error);
            } catch (const std::out_of_range&) {
                nested[world->rank()] = true;
            }
        }
    });
    CHECK(nested == std::vector<bool>{false, false, true});
}

TEST_CASE("ranks: nodes that do not begin a collective together are reported, on whichever rank they are",
          "[emu][negative][world]")
{
    static const int one = 1;
    static const int other = 2;
    const Machine::Program not_all = [](Node& me) -> Task {
        co_await me.until(2);
        if (me.id() != 5)
            me.begin_together(&one, "a broadcast");
        co_await me.next_step();
    };
    CHECK(told_alike({not_all}).starts_with("not-together in step 2"));
    CHECK_THAT(told_alike({not_all}), Catch::EndsWith(" nodes started a broadcast in this step, not node 5"));
    const Machine::Program all = [](Node& me) -> Task {
        co_await me.until(2);
        me.begin_together(&one, "a broadcast");
        co_await me.next_step();
    };
    CHECK(told_alike({all}) == "");
    const Machine::Program two_things = [](Node& me) -> Task {
        co_await me.until(2);
        me.begin_together(me.id() < 4 ? &one : &other, me.id() < 4 ? "a broadcast" : "a gather");
        co_await me.next_step();
    };
    CHECK(told_alike({two_things}).starts_with("not-together in step 2"));
}

TEST_CASE("ranks: a deadlock names the waiting nodes of all ranks, and since when they wait", "[emu][negative][world]")
{
    const Machine::Program waits = [](Node& me) -> Task {
        const bool early = (me.id() & 4) == 0;
        co_await me.until(early ? 7 : 9);
        co_await me.arrival(early ? 2 : 0);
    };
    CHECK(told_alike({waits, {}, [](World&) { return RunOptions{}; }, 4}) ==
          "deadlock in step 9 at node 0, port 2: waiting on port 2 since step 7: nodes 0-3, 8-11; waiting on port 0 "
          "since step 9: nodes 4-7, 12-15");
    const Machine::Program for_any = [](Node& me) -> Task {
        if (me.id() % 3 == 1)
            (void)co_await me.any_arrival();
    };
    CHECK(told_alike({for_any}).starts_with("deadlock in step 1 at node 1"));
    const Machine::Program no_room = [](Node& me) -> Task {
        for (int i = 0; i < 3 && me.id() == 3; ++i) {
            co_await me.room(Crossing::port);
            me.send(Crossing::port, eight);
        }
        if (me.id() == 7)
            co_await me.arrival(0);
    };
    CHECK(told_alike({no_room, {.link = slow_links()}}).starts_with("deadlock in step"));
}

TEST_CASE("ranks: waiting for a packet that comes late from another rank is no deadlock", "[emu][world]")
{
    for (const Crossing link : crossings) {
        const Machine::Program late = [link](Node& me) -> Task {
            if (me.id() == link.from) {
                co_await me.until(20);
                me.send(Crossing::port, eight);
            } else if (me.id() == link.to) {
                co_await me.arrival(Crossing::port);
                me.receive(Crossing::port);
                co_await me.until(40);
            }
        };
        CHECK(told_alike({late}) == "");
    }
}

TEST_CASE("ranks: on_step and sinks that throw end the run everywhere", "[emu][negative][world]")
{
    const auto on_step = [](World& world, unsigned of) {
        RunOptions options;
        options.on_step = [&world, of](Step step) {
            if (step == 2 && world.rank() == of % world.ranks())
                throw std::runtime_error("the terminal is gone");
        };
        return options;
    };
    for (const unsigned of : {0U, 1U, 7U}) {
        const std::string text = told_alike({exchanges, {}, [=](World& world) { return on_step(world, of); }});
        CHECK(text == "the terminal is gone");
    }
    const auto sink = [](World&) {
        RunOptions options;
        options.trace = [](const Transmission& one) {
            if (one.step == 2)
                throw std::runtime_error("disk full");
        };
        return options;
    };
    CHECK(told_alike({exchanges, {}, sink}) == "disk full");
}

TEST_CASE("ranks: a stop that is requested on one rank ends the run on all", "[emu][negative][world]")
{
    const Machine::Program long_one = [](Node& me) { return idle_steps(me, 1000); };
    for (const unsigned of : {0U, 1U, 7U}) {
        std::vector<StopSource> stops(8);
        const auto stopped = [&](World& world) {
            RunOptions options;
            StopSource& mine = stops[world.rank()] = StopSource();
            options.stop = mine.get_token();
            options.on_step = [&world, &mine, of](Step step) {
                if (step == 4 && world.rank() == of % world.ranks())
                    mine.request_stop();
            };
            return options;
        };
        CHECK(told_alike({long_one, {}, stopped}) == "interrupted");
    }
}

TEST_CASE("ranks: a failure before the first step, and too many steps, end the run on all ranks",
          "[emu][negative][world]")
{
    const Machine::Program refuses = [](Node& me) -> Task {
        if (me.id() == 5)
            throw std::runtime_error("no");
        return idle_steps(me, 1);
    };
    CHECK(told_alike({refuses}) == "the program of node 5 failed in step 1: no");
    const Machine::Program endless = [](Node& me) -> Task {
        co_await me.until(~Step{0});
        me.send(0, eight);
    };
    CHECK(told_alike({endless}).starts_with("too-many-steps in step 2147483647 at node 0"));
    const Machine::Program one_is_endless = [](Node& me) -> Task { co_await me.until(me.id() == 5 ? ~Step{0} : 3); };
    CHECK(told_alike({one_is_endless}).starts_with("too-many-steps in step 2147483647 at node 5"));
    RunOptions no_link;
    no_link.failing = {{0, 3, 1}};
    CHECK(told_alike({exchanges, {}, [=](World&) { return no_link; }}) != "");
}

TEST_CASE("ranks: a rank that abandons the others ends their run", "[emu][world]")
{
    std::string text = "ended well";
    const auto abandoned = [&](const std::shared_ptr<World>& world) {
        MachineOptions options;
        options.threads = 2;
        options.world = world;
        Machine machine(Topology::hypercube(6), options);
        RunOptions run;
        run.on_step = [&](Step step) {
            if (step == 2 && world->rank() == 1)
                world->abandon("it has had enough");
        };
        const auto idle = [](Node& me) -> Task {
            for (int i = 0; i < 5; ++i)
                co_await me.next_step();
        };
        try {
            machine.run(idle, run);
        } catch (const test_support::LostRank& lost) {
            if (world->rank() == 0)
                text = lost.what();
        }
    };
    test_support::run_ranks(2, abandoned);
    CHECK(text.find("rank 1") != std::string::npos);
}
