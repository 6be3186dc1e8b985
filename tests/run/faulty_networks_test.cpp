// Every collective on networks that lack links and nodes: at what their bounds say, verified, accepted by the judge,
// and the same for any number of threads.

#include "collectives/example.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sizes.hpp"
#include "tests/support/sums_apart.hpp"

#include "run/recording.hpp"

#include <dcube/dcube.hpp>

#include <fmt/format.h>

#include <sstream>
#include <string>
#include <vector>

using namespace dcube;
using test_support::Sample;

namespace {

Problem question(Collective collective, const Topology& topology, std::size_t packets)
{
    Problem problem = example_problem(collective, topology);
    problem.packets = packets;
    if (has_permutation(collective))
        problem.permutation = permutation_by_name("random", topology, 3);
    if (is_matrix(collective)) {
        problem.packets = 1;
        problem.rows = problem.columns = topology.members();
    } else if (has_root(collective)) {
        problem.root = topology.member(topology.members() / 3);
    }
    return problem;
}

std::string line_of(const Transmission& one)
{
    std::string pieces;
    for (const Piece& piece : one.pieces) {
        const auto shown = [](std::optional<NodeId> node) { return node ? fmt::format("{}", *node) : "null"; };
        pieces +=
            fmt::format("{}{{\"origin\":{},\"target\":{},\"offset\":{},\"length\":{}}}", pieces.empty() ? "" : ",",
                        shown(piece.origin), shown(piece.target), piece.offset, piece.length);
    }
    return fmt::format("{{\"step\":{},\"from\":{},\"to\":{},\"port\":{},\"bytes\":{},\"pieces\":[{}]}}\n", one.step,
                       one.from, one.to, one.port, one.bytes, pieces);
}

struct Ran {
    Report report;
    std::string trace;
};

Ran run_on(const Topology& topology, PortModel ports, const Problem& problem, unsigned threads)
{
    Machine machine(topology, {.ports = ports, .threads = threads});
    std::string trace;
    RunOptions options;
    options.trace = [&](const Transmission& one) { trace += line_of(one); };
    const Entry& algorithm = find_algorithm(topology, ports, problem);
    Ran ran{run_verified(machine, algorithm, problem, {}, options), {}};
    ran.trace = std::move(trace);
    return ran;
}

void check(const Topology& topology, PortModel ports, const Problem& problem)
{
    INFO(topology.name() << ", " << name(problem.collective) << ", " << name(ports) << ", " << problem.packets
                         << " packets, root " << problem.root << ", peer " << problem.peer);
    const Entry& algorithm = find_algorithm(topology, ports, problem);
    const Ran one = run_on(topology, ports, problem, 1);
    CHECK(one.report.verified);
    CHECK(one.report.counts.steps == algorithm.cost(topology, problem).steps);
    CHECK(one.report.counts.transmissions == algorithm.cost(topology, problem).transmissions);
    CHECK(one.report.counts.steps >= one.report.steps_lower_bound);
    CHECK(one.report.counts.transmissions >= one.report.transmissions_lower_bound);
    const Ran two = run_on(topology, ports, problem, 2);
    CHECK(two.report.result_digest == one.report.result_digest);
    CHECK(two.report.counts.transmissions == one.report.counts.transmissions);
    if (test_support::keeps_sums_apart(algorithm))
        return;
    std::istringstream lines(one.trace);
    CHECK_NOTHROW(judge_trace(lines, topology, ports, problem));
}

}  // namespace

TEST_CASE("faults: every collective works on the links and nodes that are left", "[run][faults][slow]")
{
    Sample sample;
    for (const char* const network : {"hypercube:3 without 0-1", "hypercube:3 without 0",
                                      "hypercube:4 without 0-1,2-6,5,9", "torus:3x4 without 0,7", "mesh:3x3 without 4",
                                      "hypercube:2 without 1,3", "ghc:3x4 without 2-6,11", "petersen without 9"}) {
        const Topology topology = Topology::parse(network);
        for (const Collective collective : all_collectives)
            for (const PortModel ports : {PortModel::all, PortModel::one})
                for (const std::size_t packets : {1U, 3U})
                    if (sample.takes_next())
                        check(topology, ports, question(collective, topology, packets));
    }
}

TEST_CASE("faults: every collective works where random links and nodes are missing", "[run][faults][slow]")
{
    Sample sample;
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
        const Topology cube = Topology::parse(seed % 2 == 0 ? "hypercube:5" : "torus:4x6");
        Faults faults = random_faults(cube, 0.05, seed);
        Random random(seed);
        for (int i = 0; i < 2; ++i)
            faults.nodes.push_back(static_cast<NodeId>(random.below(cube.nodes() / 2)) +
                                   (i == 0 ? 0 : cube.nodes() / 2));
        const Topology topology = cube.without(faults);
        for (const Collective collective : all_collectives)
            for (const PortModel ports : {PortModel::all, PortModel::one})
                if (sample.takes_next())
                    check(topology, ports, question(collective, topology, 2));
    }
}

TEST_CASE("faults: broadcasts, scatters and all-gathers of a large cube stay at their bounds", "[run][faults]")
{
    const auto dimension = test_support::smaller(8U, 5U);
    const Topology cube = Topology::hypercube(dimension);
    const NodeId last = cube.nodes() - 1;
    const Topology without_links =
        cube.without({.links = {{0, 1}, {3, 7}, {5, 21}, {last, last - 1}, {last - 4, last - 6}}});
    const Topology without_nodes = cube.without({.nodes = {0, 3, 9, 14, 18, 21, last - 5, last}});
    const auto check_optimal = [](const Topology& topology, PortModel ports, const Problem& problem) {
        INFO(topology.title() << ", " << name(problem.collective) << ", " << name(ports));
        CHECK(find_algorithm(topology, ports, problem).cost(topology, problem).steps ==
              steps_bound(topology, ports, problem).value);
    };
    for (const Topology& topology : {without_links, without_nodes}) {
        const NodeId root = topology.member(2);
        for (const Collective collective : {Collective::broadcast, Collective::scatter, Collective::gather})
            check_optimal(topology, PortModel::all, {.collective = collective, .packets = 17, .root = root});
        for (const Collective collective : {Collective::all_gather, Collective::reduce_scatter})
            check_optimal(topology, PortModel::all, {.collective = collective});
    }
    check_optimal(without_links, PortModel::one, {.collective = Collective::all_gather});
}

TEST_CASE("faults: every collective works on links that take time where links and nodes are missing", "[run][faults]")
{
    const Topology topology = Topology::parse("hypercube:4 without 0-1,5");
    for (const Collective collective : all_collectives) {
        Problem problem = question(collective, topology, 1);
        problem.link = {LinkKind::link_bound, {1, 1}, {100, 1}, LinkClock::data_driven};
        INFO(name(collective));
        MachineOptions options{.threads = 1};
        options.link = problem.link;
        Machine machine(topology, options);
        const Report report = run_verified(machine, problem);
        CHECK(report.verified);
        REQUIRE(report.virtual_time_ns);
        CHECK(*report.virtual_time_ns >= *report.time_lower_bound_ns);
        if (report.predicted_time_ns && report.prediction_is_exact)
            CHECK(*report.virtual_time_ns == *report.predicted_time_ns);
    }
}

TEST_CASE("faults: the ends of a message, and of a permutation's messages, must not be missing",
          "[run][faults][negative]")
{
    const Topology topology = Topology::parse("hypercube:3 without 5");
    const auto refusal = [&](const Problem& problem) {
        try {
            validate(problem, topology);
        } catch (const InvalidArgument& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(refusal({.collective = Collective::broadcast, .root = 5}) ==
          "root 5 does not exist: hypercube:3 without 5 lacks that node");
    CHECK(refusal({.collective = Collective::send, .root = 0, .peer = 5}) ==
          "peer 5 does not exist: hypercube:3 without 5 lacks that node");
    CHECK(refusal({.collective = Collective::permute, .permutation = {1, 0, 2, 3, 5, 4, 6, 7}}) ==
          "permutation: node 4 is sent to 5, and node 5 is missing: missing nodes must map to themselves");
    CHECK(refusal({.collective = Collective::permute, .permutation = {1, 0, 2, 3, 4, 5, 6, 7}}).empty());
    CHECK(permutation_by_name("inversion", topology) == std::vector<NodeId>{7, 6, 2, 4, 3, 5, 1, 0});
    CHECK_THROWS_AS(steps_bound(topology, PortModel::all, {.collective = Collective::broadcast, .root = 5}),
                    InvalidArgument);
    CHECK_THROWS_AS(steps_bound(topology, PortModel::all, {.collective = Collective::send, .root = 5, .peer = 1}),
                    InvalidArgument);
}

TEST_CASE("faults: a trace that uses a missing link or node is rejected", "[run][faults][judge][negative]")
{
    const Topology topology = Topology::parse("hypercube:2 without 3");
    const Problem problem{.collective = Collective::all_gather, .bytes = 1};
    const auto verdict = [&](const std::string& trace) {
        std::istringstream lines(trace);
        try {
            judge_trace(lines, topology, PortModel::all, problem);
        } catch (const TraceError& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    const auto line = [](int step, int from, int to, int port, int origin) {
        return fmt::format("{{\"step\":{},\"from\":{},\"to\":{},\"port\":{},\"bytes\":1,\"pieces\":[{{\"origin\":{},"
                           "\"target\":null,\"offset\":0,\"length\":1}}]}}\n",
                           step, from, to, port, origin);
    };
    const std::string right = line(1, 0, 1, 0, 0) + line(1, 0, 2, 1, 0) + line(1, 1, 0, 0, 1) + line(1, 2, 0, 0, 2) +
                              line(2, 0, 1, 0, 2) + line(2, 0, 2, 1, 1);
    CHECK(verdict(right) == "accepted");
    CHECK(verdict(right + line(3, 1, 3, 1, 0)).find("line 7") == 0);
    CHECK(verdict(line(1, 0, 1, 0, 3)) ==
          "line 1: a piece has origin 3: a node from 0 to 3 that is neither missing nor a switch is allowed");
    CHECK(verdict(line(1, 0, 1, 0, 0)).find("never received") != std::string::npos);
}
