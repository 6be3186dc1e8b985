// What becomes of packets that are sent over links that have failed, and what nodes see of that.

#include "tests/support/catch.hpp"
#include "tests/support/failing_runs.hpp"

#include <dcube/machine.hpp>

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

using namespace dcube;
using namespace test_support;

namespace {

constexpr std::array<std::byte, 64> sixty_four{};
constexpr auto eight = std::span(sixty_four).first(8);

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

TEST_CASE("failing: a lost packet counts as sent, and is told of", "[emu]")
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

TEST_CASE("failing: what was sent before arrives, and what is lost never waits in a channel", "[emu]")
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
    // Nobody takes them: that is no channel_full, and no never_received.
    const auto into_the_void = [](Node& me) -> Task {
        for (int i = 0; i < 5 && me.id() == 0; ++i) {
            me.send(0, eight);
            co_await me.next_step();
        }
    };
    check_error(into_the_void, {{0, 1, 1}}, "");
    check_error(into_the_void, {{0, 1, 1}}, "", {.ports = PortModel::one});
}

TEST_CASE("failing: the rules of sending hold for what is lost, those of receiving do not", "[emu][negative]")
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

TEST_CASE("failing: a node can ask whether what it sends arrives", "[emu]")
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

TEST_CASE("failing: on networks of all kinds both directions of a link fail, and no other", "[emu]")
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

TEST_CASE("failing: under the link-bound model a lost packet holds its link as long as any", "[emu]")
{
    // Two packets of 8 bytes over one link, 2 ns a byte and 5 a packet.
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

TEST_CASE("failing: a trace tells which packets are lost", "[emu]")
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
