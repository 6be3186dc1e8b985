// How threads shared a run: counted for those who ask where its time went, and in nothing that is compared.

#include "tests/support/catch.hpp"
#include "tests/support/own_threads.hpp"

#include <dcube/error.hpp>
#include <dcube/machine.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>

using namespace dcube;
using test_support::OwnThreads;
using When = OwnThreads::When;

namespace {

constexpr Step sending_steps = 5;

constexpr std::array<std::byte, 24> packet{};  // lent to receivers beyond the end of its sender's program

// Sends over every port in each of the steps.
Task over_all_ports(Node& me)
{
    std::array<std::byte, packet.size()> into{};
    for (Step step = 0; step < sending_steps; ++step) {
        for (Port port = 0; port < me.ports(); ++port)
            me.send(port, packet);
        co_await me.next_step();
        for (Port port = 0; port < me.ports(); ++port)
            me.receive(port, into);
    }
}

const Machine::Program sending_to_all = over_all_ports;

EngineCounts counted(const Topology& topology, MachineOptions options, const std::shared_ptr<OwnThreads>& workers)
{
    options.workers = workers;
    Machine machine(topology, options);
    machine.run(sending_to_all);
    return machine.engine_counts();
}

// Counted link by link: the nodes are cut into as many equal shares as there are threads.
std::uint64_t crossing_links(const Topology& topology, unsigned threads)
{
    const auto share = [&](NodeId node) { return std::uint64_t{node} * threads / topology.nodes(); };
    std::uint64_t links = 0;
    for (NodeId node = 0; node < topology.nodes(); ++node)
        for (Port port = 0; port < topology.ports(node); ++port)
            links += share(node) != share(topology.neighbour(node, port)) ? 1 : 0;
    return links;
}

}  // namespace

TEST_CASE("engine counts: one thread runs every step alone, and nothing crosses", "[emu]")
{
    Machine machine(Topology::hypercube(6), {.threads = 1});
    CHECK(machine.engine_counts() == EngineCounts());
    const Counts counts = machine.run(sending_to_all);
    CHECK(counts.steps == sending_steps);
    // The last pass receives.
    CHECK(machine.engine_counts() == EngineCounts{.steps_alone = sending_steps + 1});
}

TEST_CASE("engine counts: packets between the shares of threads, on every network and channel", "[emu]")
{
    for (const Topology& topology :
         {Topology::hypercube(8), Topology::parse("torus:16x16"), Topology::parse("complete:4*path:64")})
        for (const unsigned threads : {2U, 4U, 16U})
            for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc}) {
                CAPTURE(topology.name(), threads, name(channel));
                const auto workers = std::make_shared<OwnThreads>(threads, When::always);
                const EngineCounts counts = counted(topology, {.threads = threads, .channel = channel}, workers);
                CHECK(counts.steps_together == sending_steps + 1);
                CHECK(counts.steps_alone == 0);
                CHECK(counts.crossing_packets == sending_steps * crossing_links(topology, threads));
            }
}

TEST_CASE("engine counts: shares that are no subcubes", "[emu]")
{
    const Topology topology = Topology::hypercube(7);
    const auto workers = std::make_shared<OwnThreads>(3U, When::always);
    const EngineCounts counts = counted(topology, {.threads = 3}, workers);
    CHECK(counts.crossing_packets == sending_steps * crossing_links(topology, 3));
}

TEST_CASE("engine counts: chunks that were left by threads that do not come", "[emu]")
{
    constexpr unsigned threads = 4;
    constexpr std::uint64_t chunks = 16;  // of 64 nodes
    const auto nobody_else = std::make_shared<OwnThreads>(threads, When::always, 0U);
    // Who watches lent bytes passes all chunks twice in a step.
    const MachineOptions options{.threads = threads, .watch_lent_bytes = false};
    const EngineCounts counts = counted(Topology::hypercube(10), options, nobody_else);
    CHECK(counts.helped_chunks == (sending_steps + 1) * (chunks - chunks / threads));
    CHECK(counts.sleeps == 0);
}

TEST_CASE("engine counts are the latest run's, and 0 after one that failed", "[emu]")
{
    Machine machine(Topology::hypercube(7), {.threads = 2, .workers = std::make_shared<OwnThreads>(2U, When::always)});
    machine.run(sending_to_all);
    const std::uint64_t crossing = machine.engine_counts().crossing_packets;
    CHECK(crossing == sending_steps * 128);
    machine.run(sending_to_all);
    CHECK(machine.engine_counts().crossing_packets == crossing);
    CHECK_THROWS_AS(machine.run([](Node&) -> Task {
        throw std::runtime_error("no");
        co_return;
    }),
                    ProgramError);
    CHECK(machine.engine_counts() == EngineCounts());
}

TEST_CASE("engine counts: a machine without checks counts no packets", "[emu]")
{
    const auto workers = std::make_shared<OwnThreads>(2U, When::always);
    const EngineCounts counts = counted(Topology::hypercube(7), {.threads = 2, .unchecked = true}, workers);
    CHECK(counts.crossing_packets == 0);
    CHECK(counts.steps_together == sending_steps + 1);
}
