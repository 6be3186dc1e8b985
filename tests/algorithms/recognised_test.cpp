// Networks from edges that are recognised: whatever is asked about them is asked about the known network, and what is
// done there is done under their own numbers.

#include "run/report.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/drawn_problems.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/local_world.hpp"
#include "tests/support/recognised_networks.hpp"
#include "tests/support/schedule_trace.hpp"
#include "tests/support/sizes.hpp"
#include "tests/support/trace_line.hpp"

#include <dcube/dcube.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace dcube;
using namespace dcube::test;
using namespace test_support;

namespace {

struct Traced {
    Report report;
    std::string trace;
};

Traced traced_run(const Topology& topology, PortModel ports, const Problem& problem, const std::string& algorithm,
                  unsigned threads = 1)
{
    Machine machine(topology, {.ports = ports, .link = problem.link, .threads = threads});
    Traced traced;
    CallOptions call;
    call.algorithm = algorithm;
    call.run.trace = [&](const Transmission& one) { traced.trace += trace_line(one); };
    traced.report = run_verified(machine, problem, {}, call);
    return traced;
}

// Scans follow the ids of the nodes, and so are other problems on the known network.
std::vector<Collective> collectives_of_any_order()
{
    std::vector<Collective> all = any_network_collectives;
    std::erase_if(all, [](Collective collective) { return is_scan(collective); });
    return all;
}

// The problem for the known network, where this one is known as it.
Problem there(Problem problem, const Recognition& known)
{
    problem.root = known.there[problem.root];
    problem.peer = known.there[problem.peer];
    std::vector<NodeId> permutation(problem.permutation.size());
    for (NodeId node = 0; node < permutation.size(); ++node)
        permutation[known.there[node]] = known.there[problem.permutation[node]];
    problem.permutation = std::move(permutation);
    return problem;
}

void check_same_bounds(const Topology& topology, PortModel ports, const Problem& problem)
{
    const Recognition& known = *topology.recognised();
    const Problem same = there(problem, known);
    CHECK(steps_bound(topology, ports, problem).value == steps_bound(known.network, ports, same).value);
    CHECK(transmissions_bound(topology, problem).value == transmissions_bound(known.network, same).value);
    if (problem.link.bound())
        CHECK(time_bound(topology, problem).value == time_bound(known.network, same).value);
}

void check_same_run(const Topology& topology, PortModel ports, const Problem& problem, const std::string& algorithm)
{
    const Recognition& known = *topology.recognised();
    const Traced here = traced_run(topology, ports, problem, algorithm);
    const Report named = traced_run(known.network, ports, there(problem, known), algorithm).report;
    TraceQuestion question{topology, ports, problem};
    question.redundant = here.report.redundant;
    CAPTURE(here.report.algorithm);
    CHECK(here.report.verified);
    CHECK(here.report.algorithm == named.algorithm);
    CHECK(here.report.counts.steps == named.counts.steps);
    CHECK(here.report.counts.transmissions == named.counts.transmissions);
    CHECK(here.report.virtual_time_ns == named.virtual_time_ns);
    CHECK(here.report.predicted_time_ns == named.predicted_time_ns);
    CHECK(judged(question, here.trace) == "");
}

Problem on_slow_links(Problem problem)
{
    problem.link = {LinkKind::link_bound, {1, 1}, {100, 1}, LinkClock::data_driven};
    return problem;
}

}  // namespace

TEST_CASE("recognised networks: auto does what it does on the known network, in every collective", "[recognised][slow]")
{
    Sample sample(23, 3);
    for (const RecognisedCase& one : recognised_cases)
        for (const std::uint64_t seed : {0U, 1U}) {  // 0: numbered as the known network is
            const Topology topology = from_edges_of(one.network, seed);
            REQUIRE(topology.recognised());
            for (const Collective collective : collectives_of_any_order())
                for (const PortModel ports : {PortModel::all, PortModel::one})
                    for (const std::size_t packets : {1U, 3U}) {
                        if (!sample.takes_next())
                            continue;
                        const Problem problem = drawn_problem(topology, collective, packets, seed + 5);
                        CAPTURE(one.network, seed, name(collective), name(ports), packets);
                        check_same_bounds(topology, ports, problem);
                        check_same_run(topology, ports, problem, "auto");
                        if (ports == PortModel::all) {
                            check_same_bounds(topology, ports, on_slow_links(problem));
                            check_same_run(topology, ports, on_slow_links(problem), "auto");
                        }
                    }
        }
}

TEST_CASE("recognised networks: every algorithm of the catalogue runs under the network's own numbers",
          "[recognised][slow]")
{
    Sample sample;
    std::size_t runs = 0;
    for (const char* const network : {"hypercube:3", "hypercube:4", "ghc:2x4", "torus:3x5"}) {
        const Topology topology = from_edges_of(network, 7);
        const Recognition& known = *topology.recognised();
        for (const Entry& algorithm : catalogue())
            for (const std::size_t packets : {1U, 4U}) {
                if (is_matrix(algorithm.collective) || is_scan(algorithm.collective) ||
                    !contains(algorithm.networks, known.network) || !sample.takes_next())
                    continue;
                Problem problem = drawn_problem(topology, algorithm.collective, packets, 3);
                if (algorithm.link == LinkKind::link_bound)
                    problem = on_slow_links(problem);
                const std::string obstacle = obstacle_of(algorithm, topology, algorithm.ports, problem);
                CAPTURE(network, name(algorithm.collective), algorithm.name, packets);
                CHECK(obstacle == obstacle_of(algorithm, known.network, algorithm.ports, there(problem, known)));
                if (obstacle.empty()) {
                    check_same_run(topology, algorithm.ports, problem, full_name(algorithm, problem.link));
                    ++runs;
                }
            }
    }
    CHECK(runs > 30);
}

TEST_CASE("recognised networks: threads change nothing, and input and output may be one array", "[recognised]")
{
    for (const char* const network : {"hypercube:4", "torus:3x5", "mesh:3x4"}) {
        const Topology topology = from_edges_of(network, 3);
        for (const Collective collective : any_network_collectives) {
            Problem problem = drawn_problem(topology, collective, 3, 11);
            CAPTURE(network, name(collective));
            const Traced one = traced_run(topology, PortModel::all, problem, "auto");
            const Traced two = traced_run(topology, PortModel::all, problem, "auto", 2);
            CHECK(one.trace == two.trace);
            CHECK(one.report.result_digest == two.report.result_digest);
            problem.in_place = is_in_place_possible(collective);
            const Traced in_place = traced_run(topology, PortModel::all, problem, "auto", 2);
            CHECK(in_place.report.verified);
            CHECK(judged(topology, PortModel::all, problem, in_place.trace) == "");
        }
    }
}

TEST_CASE("recognised networks: on several ranks auto does what it does in one process", "[recognised][world]")
{
    const Topology topology = from_edges_of("hypercube:4", 9);
    for (const Collective collective : any_network_collectives) {
        const Problem problem = drawn_problem(topology, collective, 2, 4);
        const Report alone = traced_run(topology, PortModel::all, problem, "auto").report;
        for (const unsigned ranks : {2U, 3U}) {
            std::vector<Report> reports(ranks);
            run_ranks(ranks, [&](const std::shared_ptr<World>& world) {
                Machine machine(topology, {.world = world});
                reports[world->rank()] = run_verified(machine, problem);
            });
            CAPTURE(name(collective), ranks);
            CHECK(reports[0].verified);
            CHECK(reports[0].algorithm == alone.algorithm);
            CHECK(reports[0].counts.steps == alone.counts.steps);
            CHECK(reports[0].counts.transmissions == alone.counts.transmissions);
            CHECK(reports[0].result_digest == alone.result_digest);
        }
    }
}

TEST_CASE("recognised networks: matrices and orders of nodes stay with the network's own numbers", "[recognised]")
{
    const Topology same = from_edges_of("hypercube:4", 0);
    const Topology other = from_edges_of("hypercube:4", 1);
    Problem transpose{.collective = Collective::matrix_transpose, .rows = 16, .columns = 16};
    CHECK(find_algorithm(same, PortModel::all, transpose).name ==
          find_algorithm(Topology::hypercube(4), PortModel::all, transpose).name);
    for (const Topology& topology : {same, other})
        CHECK(traced_run(topology, PortModel::all, transpose, "auto").report.verified);

    Problem sum{.collective = Collective::all_reduce, .bytes = 8};
    sum.own_operation = OwnOperation{"last",
                                     [](std::byte* into, const std::byte*, const std::byte* from, std::size_t bytes) {
                                         std::copy_n(from, bytes, into);
                                     },
                                     8, false};
    const auto why = [&](const Topology& topology) {
        return error_of([&] { find_algorithm(topology, PortModel::all, sum, "exchange"); });
    };
    CHECK(why(other).find("does not commute") != std::string::npos);
}

TEST_CASE("recognised networks: a caller's own algorithm for hypercubes runs on one under any numbers", "[recognised]")
{
    // Recursive doubling, as one writes it for hypercubes: over port k to the node that differs in bit k.
    const auto program = [](const Topology&, const Problem& problem) -> CollectiveProgram {
        return [root = problem.root](Node& me, NodeData data) -> Task {
            const NodeId label = me.id() ^ root;
            if (label == 0)
                me.copy(data.output, data.input);
            for (Port k = 0; k < me.ports(); ++k) {
                if (label < NodeId{1} << k)
                    me.send(k, data.output);
                co_await me.next_step();
                if (label >> k == 1)
                    me.receive(k, data.output);
            }
        };
    };
    Algorithm own{.collective = Collective::broadcast, .name = "doubled"};
    own.networks = Networks::hypercubes;
    own.prepare = program;
    const Problem problem{.collective = Collective::broadcast, .root = 5};
    for (const std::uint64_t seed : {0U, 1U}) {
        Machine machine(from_edges_of("hypercube:4", seed));
        CHECK(error_of([&] { run_verified(machine, own, problem); }) ==
              "algorithm: broadcast by doubled is not possible here: it is for hypercubes");
        const Report report = run_verified(machine, for_recognised(own), problem);
        CHECK(report.verified);
        CHECK(report.counts.steps == 4);
    }
    Machine ring(from_edges_of("ring:16", 1));
    CHECK(error_of([&] { run_verified(ring, for_recognised(own), problem); }) ==
          "algorithm: broadcast by doubled is not possible here: it is for hypercubes");
}
