// The machine on networks whose nodes have different numbers of ports: rules, counters, virtual time and traces.

#include "tests/support/catch.hpp"
#include "tests/support/small_programs.hpp"

#include <dcube/machine.hpp>

#include <array>
#include <optional>

using namespace dcube;
using namespace test_support;

namespace {

// Every node sends over all its ports a word that names node and port, and finds at each port its neighbour's.
Task greets(Node& me)
{
    const auto word = [](NodeId node, Port port) { return std::uint64_t{node} << 32 | port; };
    for (Port port = 0; port < me.ports(); ++port)
        me.send(port, eight, word(me.id(), port));
    co_await me.next_step();
    const Topology& topology = me.topology();
    for (Port port = 0; port < me.ports(); ++port)
        if (me.receive(port).header != word(topology.neighbour(me.id(), port), topology.arrival_port(me.id(), port)))
            throw std::runtime_error("a packet came over another link");
}

Task uses_one_port_too_many(Node& me)
{
    if (me.id() == 3)
        me.send(me.ports(), eight);
    co_return;
}

std::optional<RuleViolation> violation_of(const Topology& topology, const Machine::Program& program,
                                          const MachineOptions& options)
{
    Machine machine(topology, options);
    try {
        machine.run(program);
    } catch (const RuleViolation& violation) {
        return violation;
    }
    return std::nullopt;
}

template <class Work>
void with_all_channels(const Work& work)
{
    for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc})
        for (const unsigned threads : {1U, 3U})
            work(MachineOptions{.threads = threads, .channel = channel});
}

}  // namespace

TEST_CASE("irregular networks: every port leads to the other end of its link", "[emu]")
{
    for (const char* const text : {"mesh:3x4", "path:5*star:3", "petersen*path:2", "ring:5*path:4*complete:3"}) {
        const Topology topology = Topology::parse(text);
        with_all_channels([&](const MachineOptions& options) {
            CAPTURE(text, name(options.channel), options.threads);
            Machine machine(topology, options);
            const Counts counts = machine.run(greets);
            CHECK(counts.steps == 1);
            CHECK(counts.transmissions == topology.directed_links());
            CHECK(counts.bytes == 8 * topology.directed_links());
        });
    }
}

TEST_CASE("irregular networks: a node has its own ports only", "[emu]")
{
    const Topology mesh = Topology::parse("mesh:2x3");  // node 3 is a corner, node 1 is not
    REQUIRE(mesh.ports(3) == 2);
    REQUIRE(mesh.ports(1) == 3);
    with_all_channels([&](const MachineOptions& options) {
        const std::optional<RuleViolation> violation = violation_of(mesh, uses_one_port_too_many, options);
        REQUIRE(violation.has_value());
        CHECK(violation->rule == Rule::no_such_port);
        CHECK(violation->node == 3);
        CHECK(violation->port == 2);
    });
}

TEST_CASE("irregular networks: a one-port machine allows a node one packet in and one out per step", "[emu]")
{
    const Topology path = Topology::parse("path:3");
    const auto crowds_the_middle = [](Node& me) -> Task {
        if (me.id() != 1)
            me.send(0, eight);
        co_await me.next_step();
    };
    with_all_channels([&](MachineOptions options) {
        options.ports = PortModel::one;
        const std::optional<RuleViolation> violation = violation_of(path, crowds_the_middle, options);
        REQUIRE(violation.has_value());
        CHECK(violation->rule == Rule::second_receive);
        CHECK(violation->node == 1);
    });
}

TEST_CASE("irregular networks: a deadlock names the port on which a node waits", "[emu]")
{
    const auto waits = [](Node& me) -> Task {
        if (me.id() == 4)
            co_await me.arrival(3);  // the middle of a mesh of 3 x 3 has ports 0 to 3
    };
    const std::optional<RuleViolation> violation = violation_of(Topology::parse("mesh:3x3"), waits, {});
    REQUIRE(violation.has_value());
    CHECK(violation->rule == Rule::deadlock);
    CHECK(violation->node == 4);
    CHECK(violation->port == 3);
}

TEST_CASE("irregular networks: under the link-bound model a packet takes its time on every link", "[emu]")
{
    // Along a path of four nodes, 8 bytes per hop.
    const auto passes_on = [](Node& me) -> Task {
        Packet packet{eight};
        if (me.id() > 0) {
            co_await me.arrival(0);
            packet = me.receive(0, me.allocate(8));
        }
        if (me.id() < 3)
            me.send(me.ports() - 1, packet);
    };
    MachineOptions options;
    options.link = {LinkKind::link_bound, {3, 1}, {10, 1}};
    Machine machine(Topology::parse("path:4"), options);
    CHECK(machine.run(passes_on).virtual_time == 3 * (3 * 8 + 10));
}

TEST_CASE("irregular networks: a trace tells links as the topology does", "[emu]")
{
    const Topology topology = Topology::parse("mesh:2x3");
    Machine machine(topology);
    std::size_t lines = 0;
    std::optional<Transmission> before;
    RunOptions options;
    options.trace = [&](const Transmission& one) {
        ++lines;
        CHECK(one.to == topology.neighbour(one.from, one.port));
        if (before)
            CHECK(std::pair(before->from, before->port) < std::pair(one.from, one.port));
        before = one;
    };
    machine.run(greets, options);
    CHECK(lines == topology.directed_links());
}
