// Few blocks on rings and products: as many steps as the diameter.

#include "tests/support/catch.hpp"
#include "tests/support/schedule_trace.hpp"
#include "tests/support/sizes.hpp"
#include "tests/support/trace_line.hpp"

#include <dcube/dcube.hpp>

#include <string>

using namespace dcube;
using namespace test_support;

namespace {

struct Run {
    Report report;
    std::vector<std::string> lines;
};

Run run_all_reduce(const char* network, std::size_t blocks, const std::string& algorithm)
{
    const Topology topology = Topology::parse(network);
    Machine machine(topology, {.threads = 2, .watch_lent_bytes = true});
    Run run;
    CallOptions call;
    call.algorithm = algorithm;
    call.run.trace = [&](const Transmission& t) { run.lines.push_back(trace_line(t)); };
    VerifiedRunOptions trial;
    run.report = run_verified(machine, {Collective::all_reduce, 3, blocks}, trial, call);
    return run;
}

std::string verdict(const char* network, std::size_t blocks, const std::vector<std::string>& lines)
{
    std::string trace;
    for (const std::string& line : lines)
        trace += line;
    return judged(Topology::parse(network), PortModel::all, {Collective::all_reduce, 3, blocks}, trace);
}

std::uint64_t steps(const char* network, std::size_t blocks, const std::string& algorithm = "by-dimensions")
{
    const Run run = run_all_reduce(network, blocks, algorithm);
    CHECK(run.report.verified);
    CHECK(verdict(network, blocks, run.lines) == "");
    return run.report.counts.steps;
}

}  // namespace

TEST_CASE("window sums: a ring's all-reduce takes half the ring", "[all-reduce]")
{
    for (NodeId nodes = 3; nodes <= smaller(59U, 20U); ++nodes) {
        const std::string ring = "ring:" + std::to_string(nodes);
        CAPTURE(ring);
        const Topology topology = Topology::parse(ring);
        Machine machine(topology, {.threads = 2});
        CallOptions call;
        call.algorithm = "window-sums";
        VerifiedRunOptions trial;
        const Report report = run_verified(machine, {Collective::all_reduce, 3, 1}, trial, call);
        CHECK(report.verified);
        CHECK(report.counts.steps == nodes / 2);
        CHECK(report.steps_optimal());
    }
    for (const char* const ring : {"ring:3", "ring:4", "ring:5", "ring:8", "ring:17", "ring:59"})
        steps(ring, 1, "window-sums");
    CHECK(steps("ring:7", 4, "window-sums") == 12);
}

TEST_CASE("window sums: every node passes its neighbours' blocks on as they are, so that all can add alike",
          "[all-reduce]")
{
    const std::vector<std::string> lines = run_all_reduce("ring:5", 1, "window-sums").lines;
    REQUIRE(lines.size() == 20);
    // Node 1 in step 2: to the right that of node 0, to the left that of node 2.
    std::vector<std::string> of_node;
    for (const std::string& line : lines)
        if (line.starts_with(R"({"step":2,"from":1,)"))
            of_node.push_back(line.substr(line.find("\"sum_of\"")));
    CHECK(of_node == std::vector<std::string>{"\"sum_of\":[0]}]}\n", "\"sum_of\":[2]}]}\n"});
}

TEST_CASE("window sums: a packet that is lost, early or doubled is detected", "[all-reduce][negative]")
{
    for (const char* const network : {"ring:5", "ring:6"}) {
        const std::vector<std::string> right = run_all_reduce(network, 1, "window-sums").lines;
        for (std::size_t line = 0; line < right.size(); ++line) {
            CAPTURE(network, line);
            std::vector<std::string> wrong = right;
            wrong.erase(wrong.begin() + static_cast<std::ptrdiff_t>(line));
            CHECK(verdict(network, 1, wrong) != "");
            wrong = right;
            wrong.insert(wrong.begin() + static_cast<std::ptrdiff_t>(line), right[line]);
            CHECK(verdict(network, 1, wrong) != "");
            if (right[line].starts_with(R"({"step":1,)"))
                continue;
            wrong.clear();
            std::string early = right[line];
            early[8] = '1';
            wrong.push_back(early);
            for (std::size_t other = 0; other < right.size(); ++other)
                if (other != line)
                    wrong.push_back(right[other]);
            CHECK(verdict(network, 1, wrong) != "");
        }
    }
}

TEST_CASE("by dimensions: an all-reduce of one block takes as many steps as the diameter", "[all-reduce]")
{
    CHECK(steps("torus:8x8", 1) == 8);
    CHECK(steps("torus:3x4x5", 1) == 5);
    CHECK(steps("ghc:2x5x7", 1) == 3);
    CHECK(steps("mesh:4x6", 1) == 8);
    CHECK(steps("complete:9", 1) == 1);
    CHECK(steps("ring:5*path:4*complete:3", 1) == 6);
    CHECK(steps("petersen", 1) == 4);  // there and back: its diameter is 2
}

TEST_CASE("by dimensions: as many blocks as there are factors are added side by side", "[all-reduce]")
{
    CHECK(steps("torus:8x8", 2) == 8);
    CHECK(steps("ghc:2x5x7", 3) == 3);
    CHECK(steps("ghc:2x5x7", 5) == 6);
    CHECK(steps("torus:4x4x4", 3) == 6);
    CHECK(steps("torus:4x4x4", 7) == 18);
    CHECK(steps("torus:3x8", 1) == 5);
    CHECK(steps("torus:3x8", 2) == 8);  // side by side: one in the ring of 8 while the other is in that of 3
}

TEST_CASE("by dimensions: blocks of every type are added, also on links that take time", "[all-reduce]")
{
    const Topology topology = Topology::parse("torus:3x4");
    for (const ElementType type : {ElementType::int16, ElementType::float32, ElementType::uint64}) {
        Machine machine(topology, {.threads = 2});
        CallOptions call;
        call.algorithm = "by-dimensions";
        VerifiedRunOptions trial;
        const Problem problem{Collective::all_reduce, 2 * size_of(type), 5, 0, Operation::max, type};
        CHECK(run_verified(machine, problem, trial, call).verified);
    }
    MachineOptions options{.threads = 2};
    options.link = {LinkKind::link_bound, {2, 1}, {7, 1}, LinkClock::data_driven};
    Machine machine(topology, options);
    CallOptions call;
    call.algorithm = "unit:by-dimensions";
    VerifiedRunOptions trial;
    const Report report = run_verified(machine, {Collective::all_reduce, 4, 1}, trial, call);
    CHECK(report.verified);
    CHECK(report.virtual_time_ns == Rational{3 * 15, 1});  // three steps of 2 * 4 + 7 ns
}
