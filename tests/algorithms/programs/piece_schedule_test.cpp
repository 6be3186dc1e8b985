// Schedules in pieces: the trace of any algorithm, run again, is the same; impossible ones are refused.

#include "collectives/example.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/link_bound.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

using namespace dcube;
using namespace test_support;

namespace {

// A run and its trace as a schedule.
std::pair<Report, PieceSchedule> traced(const Topology& topology, const MachineOptions& options, const Problem& problem,
                                        const std::string& algorithm)
{
    Machine machine(topology, options);
    PieceSchedule schedule;
    CallOptions call{.algorithm = algorithm};
    call.run.trace = [&](const Transmission& one) { schedule.add(one); };
    Report report = run_verified(machine, problem, {}, call);
    return {std::move(report), std::move(schedule)};
}

Report replayed(const Topology& topology, const MachineOptions& options, const Problem& problem, PieceSchedule schedule)
{
    Machine machine(topology, options);
    const Algorithm again =
        algorithm_of({.collective = problem.collective, .name = "again", .ports = options.ports}, std::move(schedule));
    return run_verified(machine, again, problem, {});
}

// The problems that are tried: an example, several packets, floats, and whatever the algorithm can do.
std::vector<Problem> problems(const Entry& algorithm, const Topology& topology)
{
    Problem example = example_problem(algorithm.collective, topology);
    std::vector<Problem> all{example};
    if (is_matrix(algorithm.collective)) {
        example.layout = MatrixLayout::submatrices;
        all.push_back(example);
        return all;
    }
    example.root = topology.nodes() / 2;
    example.peer = 0;
    for (const std::size_t packets : {std::size_t{3}, std::size_t{topology.nodes()} + 1}) {
        example.packets = packets;
        all.push_back(example);
    }
    if (is_reduction(algorithm.collective)) {
        all.back().type = ElementType::int32;
        all.back().operation = Operation::max;
    }
    return all;
}

// Calls `visit` with every entry that can do it on this network, and a name that selects it.
template <class Visit>
void for_each_case(const Topology& topology, const LinkModel& link, const Visit& visit)
{
    for (const Entry& algorithm : catalogue())
        for (Problem problem : problems(algorithm, topology)) {
            problem.link = link;
            try {
                validate(problem, topology);
            } catch (const InvalidArgument&) {
                continue;  // a matrix that this network cannot hold, a send to itself
            }
            if (!obstacle_of(algorithm, topology, algorithm.ports, problem).empty())
                continue;
            const bool foreign = link.bound() && algorithm.link == LinkKind::unit;
            const PortModel ports = link.bound() ? PortModel::all : algorithm.ports;
            visit(algorithm, problem, ports, fmt::format("{}{}", foreign ? "unit:" : "", algorithm.name));
        }
}

int replay_all(const std::string& network, const LinkModel& link)
{
    const Topology topology = Topology::parse(network);
    int cases = 0;
    test_support::Sample sample(7, 3);
    for_each_case(topology, link, [&](const Entry&, const Problem& problem, PortModel ports, const std::string& by) {
        ++cases;
        if (!sample.takes_next())
            return;
        CAPTURE(network, name(problem.collective), by, problem.packets, problem.root);
        const MachineOptions options{.ports = ports, .link = link, .threads = 2, .watch_lent_bytes = true};
        auto [first, schedule] = traced(topology, options, problem, by);
        const Report second = replayed(topology, options, problem, std::move(schedule));
        CHECK(second.verified);
        CHECK(second.counts.steps == first.counts.steps);
        CHECK(second.counts.transmissions == first.counts.transmissions);
        CHECK(second.counts.bytes == first.counts.bytes);
        CHECK(second.result_digest == first.result_digest);
        CHECK(second.virtual_time_ns == first.virtual_time_ns);
    });
    return cases;
}

const Topology square = Topology::hypercube(2);

// The error in a broadcast on the square by these packets.
std::string refusal_of(const std::vector<Transmission>& packets, const Problem& problem = {Collective::broadcast, 8})
{
    return error_of([&] {
        PieceSchedule schedule;
        for (const Transmission& one : packets)
            schedule.add(one);
        program_of(schedule, square, problem);
    });
}

const Piece whole{0, {}, 0, 8};

Transmission packet(Step step, NodeId from, Port port, const Piece& piece = whole)
{
    return {.step = step, .from = from, .port = port, .pieces = {&piece, 1}};
}

}  // namespace

TEST_CASE("every trace of the catalogue, run again, takes the same steps and ends with the same bytes",
          "[algorithms][slow]")
{
    for (const char* const network : {"hypercube:0", "hypercube:1", "hypercube:2", "hypercube:3"})
        CHECK(replay_all(network, {}) > 0);
    CHECK(replay_all("hypercube:4", {}) > 50);
    for (const char* const network : {"torus:3x4", "mesh:2x3", "ring:5*path:2", "petersen"})
        CHECK(replay_all(network, {}) > 10);
}

TEST_CASE("every trace of the catalogue on links that take time, run again, takes the same virtual time",
          "[algorithms][slow]")
{
    CHECK(replay_all("hypercube:1", link_bound(2, 7)) > 10);
    CHECK(replay_all("hypercube:2", link_bound(2, 7)) > 10);
    CHECK(replay_all("hypercube:3", link_bound(1, 100)) > 50);
    CHECK(replay_all("hypercube:4", link_bound(3, 0)) > 50);
    CHECK(replay_all("torus:3x4", link_bound(1, 10)) > 10);
    LinkModel lockstep = link_bound(1, 10);
    lockstep.clock = LinkClock::lockstep;
    CHECK(replay_all("hypercube:3", lockstep) > 50);
}

TEST_CASE("a schedule in pieces that cannot be is refused with its packet", "[algorithms][negative]")
{
    CHECK(refusal_of({packet(1, 0, 0), packet(1, 0, 1), packet(2, 1, 1)}) == "");
    CHECK_THAT(refusal_of({packet(2, 0, 0), packet(1, 0, 1)}),
               Catch::Contains("packet 1 of the schedule is of step 1"));
    CHECK_THAT(refusal_of({packet(0, 0, 0)}), Catch::Contains("of step 0"));
    CHECK_THAT(refusal_of({packet(0x7fffffff, 0, 0)}), Catch::Contains("of step 2147483647"));
    CHECK_THAT(refusal_of({packet(1, 0, 2)}), Catch::Contains("no port 2 at node 0"));
    CHECK_THAT(refusal_of({packet(1, 4, 0)}), Catch::Contains("no port 0 at node 4"));
    CHECK_THAT(refusal_of({packet(1, 0, 0), packet(1, 1, 1)}),
               Catch::Contains("packet 1 of the schedule (step 1): node 1 does not hold bytes 0 to 7"));
    const Piece half{0, {}, 0, 4};
    CHECK_THAT(refusal_of({packet(1, 0, 0, half), packet(2, 1, 1)}), Catch::Contains("does not hold bytes 4 to 7"));
    const Piece empty{0, {}, 0, 0};
    const Piece beyond{0, {}, 4, 5};
    CHECK_THAT(refusal_of({packet(1, 0, 0, empty)}), Catch::Contains("a piece of 0 bytes"));
    CHECK_THAT(refusal_of({packet(1, 0, 0, beyond)}), Catch::Contains("not in a message of 8 bytes"));
    const Piece foreign{7, 1, 0, 8};
    CHECK_THAT(refusal_of({packet(1, 0, 0, foreign)}, {Collective::all_to_all, 8}),
               Catch::Contains("nodes are 0 to 3"));
}

TEST_CASE("a schedule in pieces that falls short does not verify", "[algorithms][negative]")
{
    PieceSchedule schedule;
    schedule.add(packet(1, 0, 0));
    schedule.add(packet(1, 0, 1));
    Machine machine(square);
    const Algorithm mine = algorithm_of({.collective = Collective::broadcast, .name = "short"}, schedule);
    CHECK_THROWS_AS(run_verified(machine, mine, {Collective::broadcast, 8}), VerificationError);
}

TEST_CASE("pieces of any size are cut, joined and passed on", "[algorithms]")
{
    // 0 sends bytes 0..4 one way and 5..7 the other; 1 passes on two cuts of what it has, 2 the rest.
    const Piece left{0, {}, 0, 5};
    const Piece right{0, {}, 5, 3};
    const Piece cuts[] = {{0, {}, 3, 2}, {0, {}, 0, 3}};
    PieceSchedule schedule;
    schedule.add(packet(1, 0, 0, left));
    schedule.add(packet(1, 0, 1, right));
    schedule.add(packet(2, 0, 0, right));
    schedule.add(packet(2, 0, 1, left));
    schedule.add(2, 1, 1, cuts);
    schedule.add(packet(2, 2, 0, right));
    Machine machine(square);
    const Algorithm mine = algorithm_of({.collective = Collective::broadcast, .name = "cuts"}, schedule);
    const Report report = run_verified(machine, mine, {Collective::broadcast, 8}, {});
    CHECK(report.counts.steps == 2);
    CHECK(report.counts.transmissions == 6);
    CHECK(report.counts.storage_bytes < 1024);
}

TEST_CASE("piece schedules: an empty one leaves the one node of an exscan alone, and copies that of a scan",
          "[algorithms]")
{
    const Topology alone = Topology::hypercube(0);
    for (const Collective collective : {Collective::scan, Collective::exscan})
        CHECK(replayed(alone, {}, {.collective = collective, .bytes = 4}, PieceSchedule()).verified);
}
