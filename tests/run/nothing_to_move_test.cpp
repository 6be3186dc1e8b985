// Messages of 0 bytes, as generic callers give them: nothing moves, and that is verified.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include "collectives/example.hpp"

#include <dcube/dcube.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <sstream>
#include <utility>
#include <vector>

using namespace dcube;
using test_support::error_of;

namespace {

const std::vector<Topology>& few_networks()
{
    static const std::vector<Topology> all = {
        Topology::hypercube(0),
        Topology::hypercube(3),
        Topology::parse("ring:5"),
        Topology::parse("torus:3x4"),
        Topology::parse("petersen"),
        Topology::product({Graph::from_text("drawn", "0 1\n1 2\n2 0\n2 3\n3 4\n")}),
        Topology::parse("hypercube:3 without 6"),
    };
    return all;
}

// A point-to-point collective needs two nodes, matrices always have elements, and a barrier is no matter of bytes.
bool is_possible(Collective collective, const Topology& topology)
{
    return !is_matrix(collective) && !is_barrier(collective) && !(has_peer(collective) && topology.nodes() == 1);
}

Problem of_nothing(Collective collective, const Topology& topology, std::size_t bytes, std::size_t packets)
{
    Problem problem = example_problem(collective, topology);
    problem.bytes = bytes;
    problem.packets = packets;
    return problem;
}

constexpr std::pair<std::size_t, std::size_t> sizes[] = {{0, 1}, {8, 0}, {0, 0}, {0, 4'000'000'000}};

// Ports and links, as machines may combine them.
const std::vector<MachineOptions>& machines()
{
    const LinkModel timed{.kind = LinkKind::link_bound, .tau = {1, 2}, .beta = {10, 1}};
    static const std::vector<MachineOptions> all = {
        {.threads = 1}, {.ports = PortModel::one, .threads = 1}, {.link = timed, .threads = 2}};
    return all;
}

void check_idle(const Report& report)
{
    CHECK(report.verified);
    CHECK(report.blocks_verified == 0);
    CHECK(report.counts.steps == 0);
    CHECK(report.counts.transmissions == 0);
    CHECK(report.counts.bytes == 0);
    CHECK(report.counts.storage_bytes == 0);
    CHECK(report.steps_lower_bound == 0);
    CHECK(report.transmissions_lower_bound == 0);
    CHECK_FALSE(report.ratio_to_bound());
    CHECK(report.link_utilisation() == 1);
    if (report.link.bound()) {
        CHECK(report.virtual_time_ns == Rational{});
        CHECK(report.predicted_time_ns == Rational{});
        CHECK(report.time_lower_bound_ns == Rational{});
        CHECK(report.prediction_is_exact);
    }
    CHECK_FALSE(report.cut_packets);
}

TraceQuestion header_of(const std::optional<TraceQuestion>& header)
{
    return header.value();
}

template <class Check>
void for_each_empty_problem(const Check& check)
{
    for (const Topology& topology : few_networks())
        for (const Collective collective : all_collectives)
            for (const auto& [bytes, packets] : sizes)
                for (const MachineOptions& options : machines()) {
                    if (!is_possible(collective, topology))
                        continue;
                    Problem problem = of_nothing(collective, topology, bytes, packets);
                    problem.link = options.link;
                    CAPTURE(topology.name(), name(collective), bytes, packets, name(options.ports),
                            options.link.bound());
                    check(topology, options, problem);
                }
}

}  // namespace

TEST_CASE("messages of 0 bytes take no step, by auto and by every algorithm of the network", "[run][slow]")
{
    for_each_empty_problem([](const Topology& topology, const MachineOptions& options, const Problem& problem) {
        Machine machine(topology, options);
        check_idle(run_verified(machine, problem));
        for (const Entry* const algorithm : algorithms_for(problem.collective)) {
            if (!obstacle_of(*algorithm, topology, options.ports, problem).empty())
                continue;
            CAPTURE(algorithm->name);
            check_idle(run_verified(machine, *algorithm, problem));
        }
    });
}

TEST_CASE("messages of 0 bytes in place take no step", "[run][in-place]")
{
    for_each_empty_problem([](const Topology& topology, const MachineOptions& options, const Problem& problem) {
        if (!is_in_place_possible(problem.collective))
            return;
        Problem in_place = problem;
        in_place.in_place = true;
        Machine machine(topology, options);
        check_idle(run_verified(machine, in_place));
    });
}

TEST_CASE("a forecast of messages of 0 bytes costs nothing", "[run]")
{
    for_each_empty_problem([](const Topology& topology, const MachineOptions& options, const Problem& problem) {
        const Forecast expected = forecast(topology, options, problem);
        CHECK(expected.cost == Cost{0, 0});
        CHECK(expected.link_bytes == 0);
    });
}

TEST_CASE("a trace of messages of 0 bytes is its header, is judged, and is an algorithm", "[run][judge][slow]")
{
    for_each_empty_problem([](const Topology& topology, const MachineOptions& options, const Problem& problem) {
        if (topology.name() == "drawn")
            return;  // a header names its network as it is parsed
        Machine machine(topology, options);
        std::stringstream trace;
        CallOptions traced;
        traced.run.trace = write_trace(trace, {topology, options.ports, problem});
        check_idle(run_verified(machine, problem, {}, traced));
        CHECK(trace.str().find('\n') == trace.str().size() - 1);

        PieceSchedule schedule;
        JudgeOptions how;
        how.question = header_of;
        how.schedule = true;
        how.accepted = collected_in(schedule);
        const Verdict verdict = judge_trace(trace, how);
        CHECK(verdict.steps == 0);
        CHECK(verdict.transmissions == 0);
        const Algorithm own = algorithm_of(
            {.collective = problem.collective, .name = "own", .ports = options.ports, .networks = Networks::products},
            std::move(schedule));
        check_idle(run_verified(machine, own, problem));
    });
}

TEST_CASE("a trace of messages of 0 bytes that sends something is refused", "[judge][negative]")
{
    std::stringstream trace(R"({"dcube_trace":1,"collective":"broadcast","topology":"hypercube:1","bytes":0}
{"step":1,"from":0,"to":1,"bytes":1,"pieces":[{"origin":0,"offset":0,"length":1}]}
)");
    JudgeOptions how;
    how.question = header_of;
    CHECK_THROWS_WITH(judge_trace(trace, how), Catch::Contains("does not lie within a message, which has 0 bytes"));
}

TEST_CASE("calls with empty arrays do nothing", "[run]")
{
    const std::span<const std::byte> none;
    const std::span<std::byte> nothing;
    Machine machine(Topology::hypercube(2));
    const auto check = [](const Report& report) {
        CHECK(report.counts.steps == 0);
        CHECK(report.problem.packets == 0);
    };
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{8}}) {
        check(broadcast(machine, none, nothing, 1, bytes));
        check(scatter(machine, none, nothing, 1, bytes));
        check(gather(machine, none, nothing, 1, bytes));
        check(all_gather(machine, none, nothing, bytes));
        check(all_to_all(machine, none, nothing, bytes));
        check(reduce(machine, none, nothing, 1, bytes, Operation::sum, ElementType::float64));
        check(reduce_scatter(machine, none, nothing, bytes, Operation::max, ElementType::int32));
        check(all_reduce(machine, none, nothing, bytes, Operation::sum, ElementType::uint8));
    }
    std::vector<std::byte> some(4);
    CHECK(error_of([&] { broadcast(machine, none, some, 0, 1); }) ==
          "an input of 0 and an output of 4 bytes are given, where 0 and 0 are needed");
    CHECK(error_of([&] { all_gather(machine, some, nothing, 0); }) ==
          "4 bytes are not 4 messages of whole packets of 0 bytes");
}

TEST_CASE("a collective of 0 bytes within a node program takes no step", "[run]")
{
    Machine machine(Topology::hypercube(2));
    const Prepared nothing(machine, {Collective::all_gather, 0});
    CHECK(nothing.steps() == 0);
    const Counts counts = machine.run([&](Node& me) -> Task { return nothing(me, {}, std::span<std::byte>{}); });
    CHECK(counts.steps == 0);
}

TEST_CASE("an algorithm of one's own is not run where nothing is to be moved", "[run]")
{
    const Algorithm own{
        .collective = Collective::broadcast,
        .name = "never",
        .prepare = [](const Topology&, const Problem&) -> CollectiveProgram { throw Error("it was prepared"); }};
    Machine machine(Topology::hypercube(2));
    check_idle(run_verified(machine, own, {Collective::broadcast, 0}));
}
