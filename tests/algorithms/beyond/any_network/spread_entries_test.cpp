// Spreads as collectives: what the judge says of them, right and wrong, and that runs keep what entries promise.

#include "algorithms/beyond/any_network/spread_schedule.hpp"
#include "tests/support/any_networks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/hanging_networks.hpp"
#include "tests/support/schedule_trace.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

using namespace dcube;
using namespace dcube::detail;
using test_support::judged;
using test_support::trace_of;

namespace {

std::string trace_of_spread(const Topology& topology, const Problem& problem, const Schedule& schedule)
{
    std::vector<test_support::Move> moves;
    for (const Hop& hop : schedule.hops)
        moves.push_back({hop.step, hop.from, hop.port, hop.packet});
    std::ranges::sort(moves, {}, [](const auto& move) { return std::tuple(move.step, move.from, move.port); });
    return trace_of(topology, problem, moves);
}

constexpr Collective spread_collectives[] = {Collective::broadcast, Collective::reduce, Collective::all_gather,
                                             Collective::reduce_scatter};

// A packet that is lost, early, sent twice or the other way is reported by the judge.
void check_broken(const Topology& topology, PortModel ports, const Problem& problem, const Schedule& schedule)
{
    const auto verdict = [&](const Schedule& broken) {
        return judged(topology, ports, problem, trace_of_spread(topology, problem, broken));
    };
    for (std::size_t i = 0; i < schedule.hops.size(); i += 1 + schedule.hops.size() / 5) {
        CAPTURE(i);
        Schedule dropped = schedule;
        dropped.hops.erase(dropped.hops.begin() + static_cast<std::ptrdiff_t>(i));
        CHECK(!verdict(dropped).empty());
        Schedule twice = schedule;
        twice.hops.push_back(schedule.hops[i]);
        CHECK(!verdict(twice).empty());
        Schedule turned = schedule;  // the receiver sends
        Hop& hop = turned.hops[i];
        hop = {hop.step, topology.neighbour(hop.from, hop.port), topology.arrival_port(hop.from, hop.port), hop.packet,
               hop.arrival};
        CHECK(!verdict(turned).empty());
    }
    Schedule early = schedule;
    for (Hop& hop : early.hops)
        hop.step = std::max(hop.step, Step{2}) - 1;
    CHECK(!verdict(early).empty());
}

}  // namespace

TEST_CASE("spread: the judge accepts all four collectives, and none with one thing wrong", "[spread]")
{
    for (const char* const text : {"mesh:3x4", "star:3", "hypercube:3"})
        for (const Collective collective : spread_collectives)
            for (const PortModel ports : {PortModel::all, PortModel::one})
                for (const std::size_t packets : {1U, 3U}) {
                    const Topology topology = Topology::parse(text);
                    const Problem problem{collective, 4, packets, has_root(collective) ? NodeId{1} : NodeId{0}};
                    CAPTURE(text, name(collective), name(ports), packets);
                    const Schedule schedule = spread_schedule(topology, problem, ports);
                    CHECK(judged(topology, ports, problem, trace_of_spread(topology, problem, schedule)).empty());
                    check_broken(topology, ports, problem, schedule);
                }
}

TEST_CASE("spread: a collective and its dual take as many steps, and both run at their promised cost", "[spread]")
{
    for (const std::string_view network : {"random20", "cube6-1n"})
        for (const PortModel ports : {PortModel::all, PortModel::one}) {
            const Topology topology = dcube::test::any_network(network);
            std::uint64_t steps[2] = {};
            for (const Collective collective : spread_collectives) {
                const bool from_one = has_root(collective);
                const Problem problem{collective, 4, from_one ? 17U : 2U, from_one ? NodeId{3} : NodeId{0}};
                CAPTURE(network, name(collective), name(ports));
                CallOptions call;
                call.algorithm = ports == PortModel::all ? "spread" : "spread-one";
                Machine machine(topology, {.ports = ports, .threads = 2});
                const Report report = run_verified(machine, problem, {}, call);
                CHECK(report.verified);
                const Cost cost = find_algorithm(topology, ports, problem, call.algorithm).cost(topology, problem);
                CHECK(cost == Cost{report.counts.steps, report.counts.transmissions});
                CHECK(cost.transmissions == report.transmissions_lower_bound);
                std::uint64_t& known = steps[from_one ? 0 : 1];
                CHECK((known == 0 || known == cost.steps));
                known = cost.steps;
            }
        }
}

TEST_CASE("spread: sparse networks take at most the expected steps on one port", "[spread][slow]")
{
    struct Row {
        const char* network;
        Collective collective;
        std::size_t packets;
        std::uint64_t steps;
    };
    const Row rows[] = {
        {"tree-29", Collective::broadcast, 7, 36},             // the bound; 37 step by step
        {"tree-29", Collective::broadcast, 23, 116},           // the bound; 118
        {"caterpillar-36", Collective::broadcast, 7, 54},      // the bound; 64
        {"deep-61", Collective::reduce, 17, 72},               // the bound; 84
        {"clusters-12x9", Collective::broadcast, 17, 44},      // 55
        {"tree-19", Collective::all_gather, 3, 174},           // the bound; 177
        {"clusters-4x6", Collective::all_gather, 1, 35},       // 40
        {"bridge-8+11", Collective::all_gather, 4, 90},        // 116
        {"bridge-20+20", Collective::reduce_scatter, 4, 196},  // 280
        {"clusters-9x7", Collective::all_gather, 4, 516},      // 536
        {"hubs-58", Collective::all_gather, 1, 662},
    };
    test_support::Sample sample;
    for (const auto& [network, collective, packets, steps] : rows) {
        if (!sample.takes_next())
            continue;
        const Topology topology = dcube::test::hanging_network(network);
        const Problem problem{collective, 4, packets};
        CAPTURE(network, name(collective), packets);
        const Schedule schedule = spread_schedule(topology, problem, PortModel::one);
        CHECK(schedule.steps <= steps);
        CHECK(judged(topology, PortModel::one, problem, trace_of_spread(topology, problem, schedule)).empty());
    }
}

TEST_CASE("spread: a problem that would take minutes to plan is refused", "[spread]")
{
    const Topology mesh = Topology::parse("mesh:100x100");
    CHECK_THROWS_WITH(find_algorithm(mesh, PortModel::all, {Collective::all_gather}, "spread"),
                      Catch::Contains("it would have to plan at least 99990000 hops: at most 16777216 are allowed"));
    CHECK_NOTHROW(find_algorithm(mesh, PortModel::all, {Collective::broadcast}, "spread"));
}
