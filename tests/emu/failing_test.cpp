// Links and nodes that fail while a program runs: what is sent over them is lost, and nothing else changes.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/small_programs.hpp"

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

// On every kind of channel, with several threads: what `check` is given is the same.
void on_every_machine(const Topology& topology, MachineOptions options, const std::function<void(Machine&)>& check)
{
    for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc})
        for (const unsigned threads : {1U, 2U, 4U}) {
            CAPTURE(name(channel), threads);
            options.channel = channel;
            options.threads = threads;
            Machine machine(topology, options);
            check(machine);
        }
}

RunOptions failing(std::vector<Failing> what)
{
    RunOptions options;
    options.failing = std::move(what);
    return options;
}

void check_error(const Machine::Program& program, const std::vector<Failing>& what, const std::string& error,
                 const MachineOptions& options = {})
{
    on_every_machine(Topology::hypercube(3), options,
                     [&](Machine& machine) { CHECK(error_of([&] { machine.run(program, failing(what)); }) == error); });
}

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

// In step 3 every node sends 64 bytes over every port, and in step 4 takes what has come.
Task careful_exchange(Node& me)
{
    co_await me.until(3);
    for (Port port = 0; port < me.ports(); ++port)
        me.send(port, sixty_four);
    co_await me.next_step();
    for (Port port = 0; port < me.ports(); ++port)
        if (me.arrived(port))
            me.receive(port);
}

}  // namespace

TEST_CASE("failing links: the text of a failing link or node is read as it is written", "[emu]")
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

TEST_CASE("failing links: links and nodes that the network does not have are refused", "[emu][negative]")
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

TEST_CASE("failing links: a program that receives a lost packet gets an error that names the packet", "[emu][negative]")
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

TEST_CASE("failing links: a program that waits for a lost packet gets an error that names the packet",
          "[emu][negative]")
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

TEST_CASE("failing links: a loss does not hide a mistake that has nothing to do with it", "[emu][negative]")
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

TEST_CASE("failing links: an error that no loss has caused is reported as it is", "[emu][negative]")
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

TEST_CASE("failing links: a lost packet counts as sent, and is reported as lost", "[emu]")
{
    on_every_machine(Topology::hypercube(3), {}, [](Machine& machine) {
        const Counts counts = machine.run(careful_exchange, failing({{5, 7, 2}, {7, 5, 9}, failing_node(0, 3)}));
        CHECK(counts.steps == 3);
        CHECK(counts.transmissions == 24);
        CHECK(counts.bytes == 24 * 64);
        CHECK(counts.lost == 2 + 6);
        REQUIRE(counts.first_lost);
        CHECK(*counts.first_lost == LostPacket{3, 0, 0, 1, 64, failing_node(0, 3)});
        CHECK(counts.busiest->packets == 1);
        CHECK(counts.idlest->packets == 1);
        const Counts later = machine.run(careful_exchange, failing({{5, 7, 4}}));
        CHECK(later.lost == 0);
        CHECK_FALSE(later.first_lost);
        CHECK(machine.run(careful_exchange).lost == 0);
    });
}

TEST_CASE("failing links: packets sent before the failure arrive, and lost ones never wait in a channel", "[emu]")
{
    // Node 0 sends in steps 1 to 6 and node 1 takes what has come, a step later; from step 3 on nothing does.
    std::array<int, 8> came{};
    const auto program = [&](Node& me) -> Task {
        for (Step step = 1; step <= 7; ++step) {
            if (me.id() == 0 && step <= 6)
                me.send(0, eight);
            if (me.id() == 1 && me.arrived(0)) {
                me.receive(0);
                came[step] = 1;
            }
            co_await me.next_step();
        }
    };
    on_every_machine(Topology::hypercube(1), {}, [&](Machine& machine) {
        came = {};
        const Counts counts = machine.run(program, failing({{0, 1, 3}}));
        CHECK(came == std::array<int, 8>{0, 0, 1, 1, 0, 0, 0, 0});
        CHECK(counts.lost == 4);
        CHECK(counts.transmissions == 6);
    });
    // The packets are never taken: that is no channel_full, and no never_received.
    const auto into_the_void = [](Node& me) -> Task {
        for (int i = 0; i < 5 && me.id() == 0; ++i) {
            me.send(0, eight);
            co_await me.next_step();
        }
    };
    check_error(into_the_void, {{0, 1, 1}}, "");
    check_error(into_the_void, {{0, 1, 1}}, "", {.ports = PortModel::one});
}

TEST_CASE("failing links: the rules of sending hold for lost packets, those of receiving do not", "[emu][negative]")
{
    const auto twice = [](Node& me) -> Task {
        if (me.id() == 4) {
            me.send(1, eight);
            me.send(1, eight);
        }
        co_return;
    };
    check_error(twice, {{4, 6, 1}}, "link-busy in step 1 at node 4, port 1: a second packet on one link in one step");
    const auto two_ports = [](Node& me) -> Task {
        if (me.id() == 4) {
            me.send(1, eight);
            me.send(0, eight);
        }
        co_return;
    };
    check_error(two_ports, {{4, 6, 1}},
                "second-send in step 1 at node 4, port 0: a second send in one step on a one-port machine",
                {.ports = PortModel::one});
    // Two packets set out for node 0, and one of them is lost.
    const auto crowds = [](Node& me) -> Task {
        if (me.id() == 1 || me.id() == 4)
            me.send(me.id() == 1 ? 0 : 2, eight);
        co_await me.next_step();
        if (me.id() == 0)
            me.receive(me.arrived(0) ? 0 : 2);
    };
    check_error(crowds, {{0, 1, 1}}, "", {.ports = PortModel::one});
    check_error(crowds, {{0, 4, 1}}, "", {.ports = PortModel::one});
    check_error(crowds, {{0, 2, 1}},
                "second-receive in step 1 at node 0, port 2: a second packet arrives in one step on a one-port machine",
                {.ports = PortModel::one});
}

TEST_CASE("failing links: a node can ask whether a packet over a port would arrive", "[emu]")
{
    std::array<std::array<char, 3>, 8> alive{};
    const auto program = [&](Node& me) -> Task {
        co_await me.until(2);
        for (Port port = 0; port < me.ports(); ++port)
            alive[me.id()][port] = me.alive(port) ? 'y' : 'n';
    };
    const auto seen = [&] {
        std::string text;
        for (const auto& ports : alive)
            text += std::string(ports.begin(), ports.end()) + " ";
        return text;
    };
    on_every_machine(Topology::hypercube(3), {}, [&](Machine& machine) {
        machine.run(program);
        CHECK(seen() == "yyy yyy yyy yyy yyy yyy yyy yyy ");
        machine.run(program, failing({{0, 1, 3}}));
        CHECK(seen() == "yyy yyy yyy yyy yyy yyy yyy yyy ");
        machine.run(program, failing({{0, 1, 2}, failing_node(6, 1)}));
        CHECK(seen() == "nyy nyy yyn yyy yny yyy nnn nyy ");
    });
    check_error([](Node& me) -> Task { co_return (void) me.alive(3); }, {{0, 1, 1}},
                "no-such-port in step 1 at node 0, port 3: the node has no such port");
    check_error([](Node& me) -> Task { co_return (void) me.alive(3); }, {},
                "no-such-port in step 1 at node 0, port 3: the node has no such port");
}

TEST_CASE("failing links: on networks of all kinds both directions of a link fail, and no other link", "[emu]")
{
    for (const char* const text : {"ring:5", "torus:3x4", "mesh:2x3", "star:4", "petersen", "ring:5*path:2"}) {
        const Topology topology = Topology::parse(text);
        CAPTURE(text);
        for (NodeId a = 0; a < topology.nodes(); ++a)
            for (Port port = 0; port < topology.ports(a); ++port) {
                const NodeId b = topology.neighbour(a, port);
                std::vector<int> dead(topology.nodes());
                const auto program = [&](Node& me) -> Task {
                    for (Port p = 0; p < me.ports(); ++p)
                        if (!me.alive(p))
                            ++dead[me.id()];
                    co_return;
                };
                Machine machine(topology, {.threads = 1});
                machine.run(program, failing({{a, b, 1}}));
                std::vector<int> expected(topology.nodes());
                expected[a] = expected[b] = 1;
                CHECK(dead == expected);
            }
    }
}

TEST_CASE("failing links: under the link-bound model a lost packet holds its link as long as any other", "[emu]")
{
    // Two packets of 8 bytes over one link, 2 ns per byte and 5 per packet.
    MachineOptions options;
    options.link = {LinkKind::link_bound, {2, 1}, {5, 1}, LinkClock::data_driven};
    const auto program = [](Node& me) -> Task {
        if (me.id() == 0) {
            me.send(0, eight);
            if (me.has_room(0))
                throw std::logic_error("two packets in one step");
            co_await me.room(0);
            me.send(0, eight);
        }
        co_await me.until(4);
        for (int i = 0; i < 2 && me.id() == 1; ++i)
            if (me.arrived(0))
                me.receive(0);
    };
    for (const LinkClock clock : {LinkClock::data_driven, LinkClock::lockstep}) {
        options.link.clock = clock;
        options.channel_capacity = 2;
        on_every_machine(Topology::hypercube(1), options, [&](Machine& machine) {
            CHECK(machine.run(program).virtual_time == 42);
            const Counts counts = machine.run(program, failing({{0, 1, 2}}));
            CHECK(counts.virtual_time == 42);
            CHECK(counts.lost == 1);
        });
    }
}

TEST_CASE("failing links: a trace says which packets are lost", "[emu]")
{
    on_every_machine(Topology::hypercube(2), {}, [](Machine& machine) {
        std::string seen;
        RunOptions options = failing({{0, 2, 1}});
        options.labels = [](NodeId node) {
            return std::vector<Label>{{std::as_bytes(std::span(sixty_four)), {node, std::nullopt, 0, 64}}};
        };
        options.trace = [&](const Transmission& one) {
            seen += std::to_string(one.from) + ">" + std::to_string(one.to) + (one.lost ? " lost, " : ", ");
        };
        machine.run(careful_exchange, options);
        CHECK(seen == "0>1, 0>2 lost, 1>0, 1>3, 2>3, 2>0 lost, 3>2, 3>1, ");
    });
}
