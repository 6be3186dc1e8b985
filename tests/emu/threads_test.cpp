// A machine's counts are the same for any number of threads, also for more of them than there are cores.

#include "tests/support/catch.hpp"
#include "tests/support/own_threads.hpp"

#include <dcube/error.hpp>
#include <dcube/machine.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <tuple>
#include <vector>

using namespace dcube;
using test_support::OwnThreads;

namespace {

auto all_of(const Counts& counts)
{
    const auto use = [](const std::optional<LinkUse>& link) {
        return link ? std::tuple(link->from, link->port, link->packets)
                    : std::tuple(NodeId{0}, Port{0}, ~std::uint64_t{0});
    };
    return std::tuple(counts.steps, counts.transmissions, counts.bytes, counts.virtual_time, use(counts.busiest),
                      use(counts.idlest), counts.storage_bytes, counts.largest_storage_bytes, counts.phases,
                      counts.counters);
}

// Packets of different sizes over all ports, nodes that sleep, that wait, and that end early; storage of both kinds.
Task busy_node(Node& me, std::vector<std::uint64_t>& sums)
{
    const Port ports = me.ports();
    const std::span<std::byte> out = me.allocate(64 + me.id() % 64);
    const Stripes in = me.allocate_stripes(ports, 128);
    std::memset(out.data(), static_cast<int>(me.id() % 251), out.size());
    me.phase("around");
    for (Port port = 0; port < ports; ++port) {
        me.send(port, out.first(1 + me.id() % 64));
        co_await me.next_step();
        const Packet got =
            me.receive(port, std::span(in.first + port * in.stride, 1 + (me.id() ^ NodeId{1} << port) % 64));
        for (const std::byte byte : got.bytes)
            sums[me.id()] += std::to_integer<std::uint64_t>(byte);
    }
    me.phase("one by one");
    if (me.id() % 3 == 0)
        co_return;
    co_await me.until(20 + me.id() % 7);
    me.count("sleepers", 1);
}

// For threads that are pinned so as for one.
void check_same_for_any_number(const Pinning& pinning)
{
    const Topology cube = Topology::hypercube(9);
    const auto run = [&](const MachineOptions& options) {
        Machine machine(cube, options);
        std::vector<std::uint64_t> sums(cube.nodes());
        const auto program = [&](Node& me) { return busy_node(me, sums); };
        const auto first = all_of(machine.run(program));
        CHECK(all_of(machine.run(program)) == first);  // nothing is left of the first
        return std::pair(first, sums);
    };
    for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc}) {
        const auto one = run({.threads = 1, .channel = channel});
        for (const unsigned threads : {2U, 3U, 5U, 16U}) {
            CAPTURE(threads, name(channel));
            const auto workers = std::make_shared<OwnThreads>(threads, OwnThreads::When::always);
            const bool same =
                run({.threads = threads, .pinning = pinning, .channel = channel, .workers = workers}) == one;
            CHECK(same);
        }
    }
}

}  // namespace

TEST_CASE("threads: counts and results are the same for 1, 2, 3, 5 and 16 of them", "[emu]")
{
    check_same_for_any_number(Pinning::none);
}

TEST_CASE("threads: counts and results are the same for threads that are pinned", "[emu][tbb]")
{
    check_same_for_any_number(Pinning::scatter);
}

// Every chunk's nodes get their storage from a stretch of the chunk's own. Packets of other sizes, for which the
// machine is cut anew: 8 bytes are not worth sharing, 8192 are.
TEST_CASE("threads: a machine whose runs differ in work reports what one thread does, also after a failed run", "[emu]")
{
    const auto whole = Topology::hypercube(6);
    for (const Topology& network : {whole, Topology::parse("torus:6x5"), Topology::parse("ring:40"),
                                    whole.without(Faults{.nodes = {0, 31, 63}})}) {
        CAPTURE(network.name());
        constexpr std::size_t most = 8192;
        std::vector<std::byte> memory(std::size_t{network.nodes()} * 2 * most);
        const auto runs = [&](unsigned threads) {
            Machine machine(network, {.threads = threads, .watch_lent_bytes = false});
            std::vector<decltype(all_of(Counts()))> all;
            for (const std::size_t bytes : {8U, 8U, 8192U, 8192U, 8U, 8U, 8192U, 8U}) {
                all.push_back(all_of(machine.run([&](Node& me) -> Task {
                    const std::span<std::byte> own = std::span(memory).subspan(me.id() * 2 * most, bytes);
                    const std::span<std::byte> other = std::span(memory).subspan((me.id() * 2 + 1) * most, bytes);
                    for (Step step = 0; step < 20; ++step) {
                        for (Port port = 0; port < me.ports(); ++port)
                            me.send(port, own);
                        co_await me.next_step();
                        for (Port port = 0; port < me.ports(); ++port)
                            me.receive(port, other);
                    }
                })));
                CHECK_THROWS_AS(machine.run([](Node& me) -> Task {
                    co_await me.next_step();
                    if (me.id() % 7 == 5)
                        me.receive(0);
                }),
                                RuleViolation);
            }
            return all;
        };
        CHECK(runs(2) == runs(1));
    }
}

TEST_CASE("threads: what nodes of many chunks allocate is apart, aligned and counted", "[emu]")
{
    constexpr NodeId nodes = 256;
    Machine machine(Topology::hypercube(8),
                    {.threads = 5, .workers = std::make_shared<OwnThreads>(5, OwnThreads::When::always)});
    std::array<bool, nodes> sound{};
    for (int time = 0; time < 3; ++time) {
        sound.fill(false);
        const Counts counts = machine.run([&](Node& me) -> Task {
            std::vector<std::span<std::byte>> all;
            for (std::size_t i = 0; i < 5; ++i) {
                all.push_back(me.allocate(1 + (me.id() * 37 + i * 1000) % 3000));
                std::memset(all.back().data(), static_cast<int>(me.id() % 255), all.back().size());
            }
            co_await me.next_step();
            bool mine = true;
            for (const std::span<std::byte> part : all) {
                mine = mine && reinterpret_cast<std::uintptr_t>(part.data()) % 64 == 0;
                for (const std::byte byte : part)
                    mine = mine && byte == static_cast<std::byte>(me.id() % 255);
            }
            sound[me.id()] = mine;
        });
        std::size_t expected = 0;
        for (NodeId id = 0; id < nodes; ++id)
            for (std::size_t i = 0; i < 5; ++i)
                expected += 1 + (id * 37 + i * 1000) % 3000;
        CHECK(counts.storage_bytes == expected);
        CHECK(std::ranges::count(sound, true) == nodes);
    }
}
