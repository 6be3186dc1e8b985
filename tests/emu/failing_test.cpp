// Links and nodes that fail while a program runs: what is sent over them is lost, and nothing else changes.

#include "tests/support/catch.hpp"
#include "tests/support/failing_runs.hpp"

#include <dcube/machine.hpp>

#include <array>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace dcube;
using namespace test_support;

namespace {

constexpr std::array<std::byte, 64> sixty_four{};
constexpr auto eight = std::span(sixty_four).first(8);

// In step 3 every node sends 64 bytes over every port, and receives as many in step 4.
Task exchange_in_step_3(Node& me)
{
    co_await me.until(3);
    for (Port port = 0; port < me.ports(); ++port)
        me.send(port, sixty_four);
    co_await me.next_step();
    for (Port port = 0; port < me.ports(); ++port)
        me.receive(port);
}

}  // namespace

TEST_CASE("failing: a link and a node are spelled as they are read", "[emu]")
{
    CHECK(parse_failing_link("5-7@2") == Failing{5, 7, 2});
    CHECK(parse_failing_node("5@2") == failing_node(5, 2));
    CHECK(to_string(parse_failing_link("12-3@40")) == "12-3@40");
    CHECK(to_string(parse_failing_node("12@40")) == "12@40");
    for (const char* const text : {"", "5", "5-7", "5-7@", "@2", "5-@2", "-7@2", "5-7@x", "5-7@2x", " 5-7@2", "5-7@-2",
                                   "5-7-1@2", "5+7@2", "4294967296-1@2", "5-7@4294967296", "5@2"})
        CHECK_THROWS_WITH(parse_failing_link(text),
                          "'" + std::string(text) +
                              "' is not a failing link: expected two neighbours and a step, e.g. 5-7@2");
    for (const char* const text : {"", "5", "@2", "5@", "x@2", "5@2 ", "5-7@2", "5@2@3", "-1@2", "4294967296@1"})
        CHECK_THROWS_WITH(parse_failing_node(text),
                          "'" + std::string(text) + "' is not a failing node: expected a node and a step, e.g. 5@2");
    CHECK_THROWS_WITH(parse_failing_link("5-7@0"), "'5-7@0' fails from step 0 on: steps begin at 1");
    CHECK_THROWS_WITH(parse_failing_node("5@0"), "'5@0' fails from step 0 on: steps begin at 1");
    CHECK_THROWS_WITH(parse_failing_link("5-5@1"), "'5-5@1' is not a failing link: its ends must be two nodes");
}

TEST_CASE("failing: only what the network has can fail", "[emu][negative]")
{
    Machine machine(Topology::hypercube(3));
    const auto refused = [&](const Failing& what) {
        return error_of([&] { machine.run(exchange_in_step_3, failing({{0, 1, 9}, what})); });
    };
    CHECK(refused({0, 3, 1}) == "link 0-3 cannot fail: hypercube:3 has none, node 0 is linked to 1, 2, 4");
    CHECK(refused({0, 8, 1}) == "node 8 cannot fail: hypercube:3 has nodes 0 to 7");
    CHECK(refused({9, 1, 1}) == "node 9 cannot fail: hypercube:3 has nodes 0 to 7");
    CHECK(refused(failing_node(8, 1)) == "node 8 cannot fail: hypercube:3 has nodes 0 to 7");
    CHECK(refused({0, 1, 0}) == "'0-1@0' fails from step 0 on: steps begin at 1");
    CHECK(machine.run(exchange_in_step_3).lost == 0);
    Machine path(Topology::parse("path:3"));
    CHECK(error_of([&] {
              path.run(exchange_in_step_3, failing({{0, 2, 1}}));
          }) == "link 0-2 cannot fail: path:3 has none, node 0 is linked to 1");
    Machine large(Topology::hypercube(13));
    CHECK(error_of([&] {
              large.run(exchange_in_step_3, failing({{0, 3, 1}}));
          }) ==
          "link 0-3 cannot fail: hypercube:13 has none, node 0 is linked to 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, "
          "1024, 2048, ..");
    Machine alone(Topology::hypercube(0));
    CHECK(error_of([&] {
              alone.run(exchange_in_step_3, failing({{0, 1, 1}}));
          }) == "node 1 cannot fail: hypercube:0 has nodes 0 to 0");
}

TEST_CASE("failing: a program that counts on a lost packet is told which was lost", "[emu][negative]")
{
    check_error(exchange_in_step_3, {{5, 7, 2}},
                "packet-lost in step 3 at node 5, port 1: the packet of 64 bytes to node 7 was lost: link 5-7 fails "
                "from step 2 on");
    check_error(exchange_in_step_3, {{7, 5, 3}},
                "packet-lost in step 3 at node 5, port 1: the packet of 64 bytes to node 7 was lost: link 7-5 fails "
                "from step 3 on");
    check_error(exchange_in_step_3, {{5, 7, 4}}, "");
    check_error(exchange_in_step_3, {failing_node(6, 1)},
                "packet-lost in step 3 at node 2, port 2: the packet of 64 bytes to node 6 was lost: node 6 fails "
                "from step 1 on");
    // The first in the order of steps, nodes and ports; of two causes the one that was first.
    check_error(exchange_in_step_3, {{6, 7, 1}, {3, 1, 2}, {3, 2, 3}, failing_node(1, 1)},
                "packet-lost in step 3 at node 0, port 0: the packet of 64 bytes to node 1 was lost: node 1 fails "
                "from step 1 on");
    check_error(exchange_in_step_3, {{6, 7, 1}, {3, 1, 2}, {3, 2, 3}},
                "packet-lost in step 3 at node 1, port 1: the packet of 64 bytes to node 3 was lost: link 3-1 fails "
                "from step 2 on");
}

TEST_CASE("failing: so is one that waits for it, or takes the next one in its place", "[emu][negative]")
{
    const std::string lost = "packet-lost in step 1 at node 0, port 2: the packet of 8 bytes to node 4 was lost: link "
                             "0-4 fails from step 1 on";
    const auto waits = [](Node& me) -> Task {
        if (me.id() == 0)
            me.send(2, eight);
        if (me.id() == 4) {
            co_await me.arrival(2);
            me.receive(2);
        }
    };
    check_error(waits, {{0, 4, 1}}, lost);
    const auto any = [](Node& me) -> Task {
        if (me.id() == 0)
            me.send(2, eight);
        if (me.id() == 4)
            me.receive(co_await me.any_arrival());
    };
    check_error(any, {{0, 4, 1}},
                lost +
                    "; then deadlock in step 2 at node 4, port 0: waiting on any of ports 0, 1, 2 since step 1: node "
                    "4");
    const auto sleeps = [](Node& me) -> Task {
        if (me.id() == 0)
            me.send(2, eight);
        co_await me.until(1000);
        if (me.id() == 4)
            me.receive(2);
    };
    check_error(sleeps, {{0, 4, 1}}, lost);
}

TEST_CASE("failing: a loss does not hide a mistake that has nothing to do with it", "[emu][negative]")
{
    check_error(
        [](Node& me) -> Task {
            if (me.id() == 0)
                me.send(0, eight);
            co_await me.until(50);
            if (me.id() == 6)
                me.receive(2);
        },
        {{0, 1, 1}},
        "packet-lost in step 1 at node 0, port 0: the packet of 8 bytes to node 1 was lost: link 0-1 fails from step 1 "
        "on; then nothing-arrived in step 50 at node 6, port 2: no packet waits to be received");
}

TEST_CASE("failing: what is nobody's loss is told as it is", "[emu][negative]")
{
    const auto throws = [](Node& me) -> Task {
        me.send(0, eight);
        co_await me.next_step();
        if (me.arrived(0))
            me.receive(0);
        else
            throw std::runtime_error("where is it?");
    };
    check_error(throws, {{2, 3, 1}}, "the program of node 2 failed in step 2: where is it?");
    const auto not_sent = [](Node& me) -> Task {
        if (me.id() == 0)
            me.receive(0);  // in the step of the loss: it cannot have come
        if (me.id() == 3)
            me.send(0, eight);
        co_return;
    };
    check_error(not_sent, {{2, 3, 1}}, "nothing-arrived in step 1 at node 0, port 0: no packet waits to be received");
}
