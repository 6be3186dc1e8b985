// Barriers: that all hear of all, by the judge's ledger, and what it costs, by formulas and bounds.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>

using namespace dcube;
using test_support::smaller;

namespace {

const Problem the_barrier{.collective = Collective::barrier};

constexpr const char* barrier_networks[] = {"path:3",
                                            "path:9",
                                            "ring:4",
                                            "ring:7",
                                            "ring:16",
                                            "mesh:3x5",
                                            "torus:4x6",
                                            "star:4",
                                            "pancake:4",
                                            "petersen",
                                            "circulant:13,1,5",
                                            "ccc:3",
                                            "complete:16",
                                            "ring:5*path:4",
                                            "ghc:3x4x5",
                                            "torus:8x8",
                                            "hypercube:4 without 3,0-1",
                                            "torus:3x4 without 0,7"};

// The trace of the run is judged by code that knows nothing of the algorithm.
Report barrier_run(const Topology& topology, const MachineOptions& options, const std::string& algorithm)
{
    Machine machine(topology, options);
    std::stringstream lines;
    CallOptions call{.algorithm = algorithm};
    call.run.trace = write_trace(lines, {topology, options.ports, on_links_of(machine, the_barrier)});
    const Report report = run_verified(machine, the_barrier, {}, call);
    const Verdict verdict = judge_trace(lines, topology, options.ports, on_links_of(machine, the_barrier));
    CHECK(report.verified);
    CHECK(report.blocks_verified == topology.members());
    CHECK(report.counts.bytes == 0);
    CHECK(verdict.transmissions == report.counts.transmissions);
    CHECK(verdict.steps == report.counts.steps);
    return report;
}

}  // namespace

TEST_CASE("barrier: an exchange on a d-cube takes d steps and d N packets", "[algorithms][barrier]")
{
    for (unsigned d = 0; d <= smaller(10U, 5U); ++d)
        for (const PortModel ports : {PortModel::all, PortModel::one}) {
            CAPTURE(d, name(ports));
            const Report report = barrier_run(Topology::hypercube(d), {.ports = ports, .threads = 1 + d % 2}, "auto");
            CHECK(report.algorithm == "exchange");
            CHECK(report.counts.steps == d);
            CHECK(report.counts.steps == report.steps_lower_bound);
            CHECK(report.counts.transmissions == std::uint64_t{d} << d);
        }
}

TEST_CASE("barrier: a tree on a d-cube takes 2 d - 1 steps and 2 (N - 1) packets", "[algorithms][barrier]")
{
    for (unsigned d = 1; d <= smaller(10U, 5U); ++d)
        for (const char* const algorithm : {"tree", "tree-one"}) {
            CAPTURE(d, algorithm);
            const PortModel ports = std::string_view(algorithm) == "tree" ? PortModel::all : PortModel::one;
            const Report report = barrier_run(Topology::hypercube(d), {.ports = ports, .threads = 2}, algorithm);
            CHECK(report.counts.steps == 2 * d - 1);
            CHECK(report.counts.transmissions == 2 * ((std::uint64_t{1} << d) - 1));
            CHECK(report.counts.transmissions == report.transmissions_lower_bound);
        }
}

TEST_CASE("barrier: on any network dissemination takes as many steps as the diameter, a tree the fewest packets",
          "[algorithms][barrier]")
{
    for (const char* const network : barrier_networks) {
        const Topology topology = Topology::parse(network);
        const unsigned diameter = topology.of_members().diameter();
        CAPTURE(network);
        const Report disseminated = barrier_run(topology, {.threads = 1}, "dissemination");
        CHECK(disseminated.counts.steps == diameter);
        CHECK(disseminated.steps_lower_bound == diameter);
        const Report tree = barrier_run(topology, {.threads = 2}, "tree");
        CHECK(tree.counts.transmissions == tree.transmissions_lower_bound);
        CHECK(tree.counts.transmissions == 2 * (topology.members() - 1));
        CHECK(tree.counts.steps <= 2 * diameter);
    }
}

TEST_CASE("barrier: on one port no node sends or receives twice in a step, and all hear of all",
          "[algorithms][barrier]")
{
    for (const char* const network : barrier_networks)
        for (const char* const algorithm : {"dissemination-one", "tree-one"}) {
            CAPTURE(network, algorithm);
            const Topology topology = Topology::parse(network);
            const Report report = barrier_run(topology, {.ports = PortModel::one, .threads = 1}, algorithm);
            CHECK(report.counts.steps >= report.steps_lower_bound);
            CHECK(report.counts.transmissions >= report.transmissions_lower_bound);
        }
    const auto steps = [](const char* network) {
        return barrier_run(Topology::parse(network), {.ports = PortModel::one}, "dissemination-one").counts.steps;
    };
    CHECK(steps("ring:16") == 8);      // the diameter
    CHECK(steps("torus:8x8") == 8);    // the diameter
    CHECK(steps("complete:16") == 4);  // log2 N
}

TEST_CASE("barrier: on links that take time a signal takes beta, and times are as predicted", "[algorithms][barrier]")
{
    for (const LinkClock clock : {LinkClock::data_driven, LinkClock::lockstep})
        for (const char* const network : {"hypercube:3", "ring:7", "petersen", "mesh:3x5", "hypercube:3 without 6"})
            for (const char* const algorithm :
                 {"exchange", "dissemination", "dissemination-one", "tree", "tree-one", "auto"}) {
                const Topology topology = Topology::parse(network);
                MachineOptions options;
                options.link = {LinkKind::link_bound, {5, 2}, {7, 3}, clock};
                CAPTURE(network, algorithm, name(clock));
                const std::set<std::string_view> of_cubes{"exchange"};
                const std::set<std::string_view> of_others{"dissemination", "dissemination-one"};
                if ((topology.is_hypercube() ? of_others : of_cubes).contains(algorithm))
                    continue;
                const Report report = barrier_run(topology, options, algorithm);
                REQUIRE(report.virtual_time_ns);
                CHECK(report.virtual_time_ns == report.predicted_time_ns);
                CHECK(report.prediction_is_exact);
                CHECK(*report.virtual_time_ns >= *report.time_lower_bound_ns);
                const auto hops = static_cast<std::int64_t>(topology.of_members().diameter());
                CHECK(*report.time_lower_bound_ns ==
                      Rational{7 * hops / (hops % 3 == 0 ? 3 : 1), hops % 3 == 0 ? 1 : 3});
                if (std::string_view(algorithm) == "auto")
                    CHECK(*report.virtual_time_ns == *report.time_lower_bound_ns);
            }
}

TEST_CASE("barrier: a program in which one node hears too little is found", "[algorithms][barrier][negative]")
{
    // Without the last dimension half of all nodes stay unheard.
    const Algorithm halves{
        .collective = Collective::barrier, .name = "halves", .prepare = [](const Topology&, const Problem&) {
            return [](Node& me, NodeData) -> Task {
                for (Port k = 0; k + 1 < me.ports(); ++k) {
                    me.send(k, std::span<const std::byte>());
                    co_await me.next_step();
                    me.receive(k, std::span<std::byte>());
                }
            };
        }};
    Machine machine(Topology::hypercube(3));
    CHECK(test_support::error_of([&] { run_verified(machine, halves, the_barrier); }) ==
          "node 0: it goes on, and has not heard that node 4 has begun");
}

TEST_CASE("barrier: awaited by node programs, nobody goes on before all have begun", "[algorithms][barrier]")
{
    for (const char* const network : {"hypercube:4", "ring:5*path:4"}) {
        Machine machine(Topology::parse(network), {.threads = 2});
        const Prepared barrier(machine, the_barrier);
        const Counts counts = machine.run([&](Node& me) -> Task {
            for (int round = 0; round < 3; ++round)
                co_await barrier(me, std::span<const std::byte>(), std::span<std::byte>());
        });
        CAPTURE(network);
        CHECK(counts.steps == 3 * barrier.steps());
        CHECK(barrier.steps() == machine.topology().diameter());
    }
}

TEST_CASE("barrier: as a call, and as a trace that is run again", "[algorithms][barrier]")
{
    Machine machine(Topology::hypercube(3));
    CHECK(barrier(machine).counts.steps == 3);
    PieceSchedule schedule;
    CallOptions call{.algorithm = "tree"};
    call.run.trace = collected_in(schedule);
    const Report first = run_verified(machine, the_barrier, {}, call);
    const Report again = run_verified(
        machine, algorithm_of({.collective = Collective::barrier, .name = "again"}, schedule), the_barrier);
    CHECK(again.counts.transmissions == first.counts.transmissions);
    CHECK(again.counts.steps == first.counts.steps);

    PieceSchedule wrong;
    const Piece piece{0, {}, 0, 1};
    wrong.add(1, 0, 0, std::span(&piece, 1));
    CHECK(test_support::error_of([&] { program_of(wrong, machine.topology(), the_barrier); }) ==
          "packet 0 of the schedule (step 1): it has pieces, and the packets of a barrier are empty");
    CHECK(test_support::contains(
        test_support::error_of([&] { program_of(Schedule{.steps = 1}, machine.topology(), the_barrier); }),
        "have no names"));
}
