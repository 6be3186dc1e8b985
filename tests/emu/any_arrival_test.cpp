// A node that waits for a packet at any of several ports.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/machine.hpp>

#include <array>
#include <utility>
#include <vector>

using namespace dcube;

namespace {

using Arrivals = std::vector<std::pair<Step, Port>>;

// Node 1 << k sends to node 0 in step when[k]; node 0 takes what comes, from whichever of `ports`.
Task sends_then(Node& me, std::array<Step, 3> when, std::span<const Port> ports, Arrivals& arrivals)
{
    static const std::byte packet{};
    for (Port k = 0; k < 3; ++k) {
        if (me.id() != NodeId{1} << k || when[k] == 0)
            continue;
        co_await me.until(when[k]);
        me.send(k, std::span(&packet, 1));
    }
    if (me.id() != 0)
        co_return;
    for (std::size_t i = 0; i < (ports.empty() ? 3 : ports.size()); ++i) {
        const Port port = ports.empty() ? co_await me.any_arrival() : co_await me.any_arrival(ports);
        me.receive(port);
        arrivals.emplace_back(me.step(), port);
    }
}

Arrivals arrivals_of(std::array<Step, 3> when, std::span<const Port> ports, unsigned threads)
{
    Machine machine(Topology::hypercube(3), {.threads = threads, .channel_capacity = 9});
    Arrivals arrivals;
    machine.run([&](Node& me) { return sends_then(me, when, ports, arrivals); });
    return arrivals;
}

}  // namespace

TEST_CASE("whoever waits for any port goes on with the first packet that comes, wherever it comes", "[emu]")
{
    constexpr std::array<Port, 2> outer{2, 0};
    for (const unsigned threads : {1U, 4U}) {
        CHECK(arrivals_of({9, 20, 3}, {}, threads) == Arrivals{{4, 2}, {10, 0}, {21, 1}});
        CHECK(arrivals_of({1, 2, 1}, {}, threads) == Arrivals{{2, 0}, {2, 2}, {3, 1}});
        CHECK(arrivals_of({5, 0, 5}, outer, threads) == Arrivals{{6, 2}, {6, 0}});  // in the list's order
        CHECK(arrivals_of({2, 0, 40}, outer, threads) == Arrivals{{3, 0}, {41, 2}});
    }
}

TEST_CASE("nobody can wait for a packet at none of his ports, or at one he does not have", "[emu][negative]")
{
    Machine machine(Topology::hypercube(2));
    const auto none = [](Node& me) -> Task { co_await me.any_arrival(std::span<const Port>()); };
    CHECK_THAT(test_support::error_of([&] { machine.run(none); }), Catch::Contains("at least one is needed"));
    static constexpr std::array<Port, 2> missing{0, 2};
    const auto absent = [](Node& me) -> Task { co_await me.any_arrival(missing); };
    CHECK_THAT(test_support::error_of([&] { machine.run(absent); }), Catch::Contains("no-such-port"));
}

TEST_CASE("a deadlock names all ports that a node waits on", "[emu][negative]")
{
    Machine machine(Topology::hypercube(2));
    const auto program = [](Node& me) -> Task {
        if (me.id() == 2)
            co_await me.any_arrival();
    };
    CHECK_THAT(test_support::error_of([&] { machine.run(program); }),
               Catch::Contains("deadlock in step") &&
                   Catch::Contains("waiting on any of ports 0, 1 since step 1: node 2"));
}
