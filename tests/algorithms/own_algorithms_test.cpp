// Algorithms beside the catalogue's: those that the caller adds, and schedules in files.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/files.hpp"

#include <dcube/dcube.hpp>

#include <algorithm>
#include <fstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace dcube;
using test_support::error_of;

namespace {

// Around a ring, one link after the other.
Schedule around(const Topology& ring, const Problem&)
{
    Schedule schedule{.symmetry = Symmetry::none, .steps = ring.nodes() - 1};
    for (NodeId node = 0; node + 1 < ring.nodes(); ++node)
        for (Port port = 0; port < ring.ports(node); ++port)
            if (ring.neighbour(node, port) == node + 1)
                schedule.hops.push_back({.step = node + 1, .from = node, .port = port, .packet = {.origin = 0}});
    return schedule;
}

const Entry& added()
{
    static const Entry& own =
        add_algorithm(algorithm_of({.collective = Collective::broadcast, .name = "around"}, around));
    return own;
}

}  // namespace

TEST_CASE("own algorithms: an added algorithm is found by its name, and auto never chooses it", "[catalogue]")
{
    const Topology ring = Topology::parse("ring:5");
    const Problem problem{.collective = Collective::broadcast};
    CHECK(&find_algorithm(ring, PortModel::all, problem, added().name) == &added());
    CHECK(find_algorithm(ring, PortModel::all, problem).name != "around");
    const std::vector<const Entry*> all = algorithms_for(Collective::broadcast);
    CHECK(std::ranges::count(all, &added()) == 1);
    CHECK(std::ranges::count(algorithms_for(Collective::scatter), &added()) == 0);
    Machine machine(ring);
    const Report report = run_verified(machine, problem, {}, {.algorithm = "around"});
    CHECK(report.counts.steps == 4);
    CHECK(report.algorithm == "around");
    CHECK(forecast(ring, {}, problem, "around").cost == Cost{4, 4});
}

TEST_CASE("own algorithms: an added algorithm without a new name, a cost or a program is refused",
          "[catalogue][negative]")
{
    const auto refused = [](Algorithm one) { return error_of([&] { add_algorithm(std::move(one)); }); };
    std::ignore = added();
    CHECK(refused(algorithm_of({.collective = Collective::broadcast, .name = "around"}, around)) ==
          "broadcast has an algorithm around already");
    CHECK(refused(algorithm_of({.collective = Collective::broadcast, .name = "pipelined"}, around)) ==
          "broadcast has an algorithm pipelined already");
    for (const char* const name : {"", "auto", "@file"})
        CHECK(refused(algorithm_of({.collective = Collective::broadcast, .name = name}, around)) ==
              "an added algorithm needs a name, a cost and a program");
    CHECK(refused({.collective = Collective::broadcast, .name = "empty"}) ==
          "an added algorithm needs a name, a cost and a program");
}

TEST_CASE("traces: a trace that write_trace has written can be judged, and run as an algorithm", "[catalogue]")
{
    const test::TemporaryFolder folder;
    const std::string name = folder.file("t.jsonl");
    for (const char* const network : {"hypercube:3", "ring:5", "mesh:2x3", "petersen", "hypercube:3 without 6"})
        for (const Collective collective :
             {Collective::broadcast, Collective::gather, Collective::all_gather, Collective::all_reduce,
              Collective::all_to_all, Collective::reduce_scatter, Collective::send})
            for (const bool timed : {false, true}) {
                const Topology topology = Topology::parse(network);
                Problem problem{.collective = collective, .bytes = 8, .packets = 2, .peer = 3};
                if (timed)
                    problem.link = {LinkKind::link_bound, {5, 2}, {10, 1}, LinkClock::data_driven};
                CAPTURE(network, dcube::name(collective), timed);
                MachineOptions options;
                options.link = problem.link;
                Machine machine(topology, options);
                CallOptions call;
                Report first;
                {
                    std::ofstream file(name);
                    call.run.trace = write_trace(file, {topology, PortModel::all, problem});
                    first = run_verified(machine, problem, {}, call);
                }
                std::ifstream file(name);
                const auto header = question_of(file);
                REQUIRE(header);
                CHECK(header->topology == topology);
                CHECK(header->problem.collective == collective);
                file.clear();
                file.seekg(0);
                JudgeOptions how;
                how.question = [](const auto& said) { return *said; };
                const Verdict verdict = judge_trace(file, how);
                CHECK(verdict.transmissions == first.counts.transmissions);
                CHECK(verdict.virtual_time_ns == first.virtual_time_ns);
                // A file is judged once for a problem: each has a name of its own.
                const std::string own =
                    folder.file(std::string(network) + std::string(dcube::name(collective)) + (timed ? "t" : "u"));
                std::ofstream(own) << std::ifstream(name).rdbuf();
                const Report second = run_verified(machine, problem, {}, {.algorithm = "@" + own});
                CHECK(second.counts.steps == first.counts.steps);
                CHECK(second.counts.transmissions == first.counts.transmissions);
                CHECK(second.result_digest == first.result_digest);
            }
}

TEST_CASE("traces: writing a trace to a stream that cannot be written is an error", "[catalogue][negative]")
{
    std::ofstream closed;
    CHECK(error_of([&] {
              write_trace(closed, {Topology::hypercube(1), PortModel::all, {}});
          }) == "the trace cannot be written");
}
