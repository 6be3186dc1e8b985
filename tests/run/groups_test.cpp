// Collectives of groups: each does what its own network would, over its own links, all at the same time.

#include "collectives/example.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/data.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/dcube.hpp>

#include <cstring>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

using namespace dcube;
using test_support::Bytes;
using test_support::error_of;

namespace {

struct Split {
    const char* network;
    std::vector<unsigned> within;
};

const Split splits[] = {{"hypercube:5", {0, 1, 2}},
                        {"hypercube:5", {1, 4}},
                        {"torus:3x4", {0}},
                        {"torus:3x4", {1}},
                        {"ring:3*petersen", {1}},
                        {"mesh:2x3x4", {0, 2}},
                        {"hypercube:4 without 3,7,11,15", {0, 1}}};

Problem problem_in_groups(Collective collective, const Group& groups)
{
    Problem problem = example_problem(collective, groups.network());
    problem.packets = 3;
    if (has_root(collective))
        problem.root = groups.network().member(1);
    problem.within = groups.within();
    return problem;
}

std::vector<Collective> all_but_matrices()
{
    std::vector<Collective> all(all_collectives.begin(), all_collectives.end());
    std::erase_if(all, [](Collective collective) { return is_matrix(collective); });
    return all;
}

// Runs and judges a problem, and compares it with that of the smaller network.
void check_against_smaller(const Group& groups, const Problem& problem, PortModel ports)
{
    Machine machine(groups.topology(), {.ports = ports, .threads = 2});
    std::stringstream lines;
    CallOptions call;
    call.run.trace = write_trace(lines, {groups.topology(), ports, problem});
    const Report report = run_verified(machine, problem, {}, call);
    Problem alone = problem;
    alone.within.clear();
    Machine smaller(groups.network(), {.ports = ports});
    const Report one = run_verified(smaller, alone);
    CHECK(report.verified);
    CHECK(report.blocks_verified == groups.count() * one.blocks_verified);
    CHECK(report.algorithm == one.algorithm);
    CHECK(report.counts.steps == one.counts.steps);
    CHECK(report.counts.transmissions == groups.count() * one.counts.transmissions);
    CHECK(report.steps_lower_bound == one.steps_lower_bound);
    CHECK(report.transmissions_lower_bound == groups.count() * one.transmissions_lower_bound);
    // The judge takes the header's word for what the trace is of.
    JudgeOptions judge;
    judge.question = [](const std::optional<TraceQuestion>& header) { return header.value(); };
    const Verdict verdict = judge_trace(lines, judge);
    CHECK(verdict.transmissions == report.counts.transmissions);
    CHECK(verdict.steps_lower_bound == report.steps_lower_bound);
}

void check_apart_and_in_place(Machine& machine, Problem gather, const Bytes& input, const Bytes& expected)
{
    for (const bool in_place : {false, true}) {
        gather.in_place = in_place;
        VerifiedRunOptions how;
        how.input = input;
        Bytes found;
        how.output = [&](std::span<const std::byte> all) { found.assign(all.begin(), all.end()); };
        CHECK(run_verified(machine, gather, how).verified);
        CHECK(found == expected);
    }
}

}  // namespace

TEST_CASE("groups: every collective takes the steps of the smaller network, and its packets once a group",
          "[run][groups]")
{
    for (const auto& [network, within] : splits) {
        const Group groups = Group::of(Topology::parse(network), within);
        for (const Collective collective : all_but_matrices())
            for (const PortModel ports : {PortModel::all, PortModel::one}) {
                CAPTURE(network, within_text(within), name(collective), name(ports));
                check_against_smaller(groups, problem_in_groups(collective, groups), ports);
            }
    }
}

TEST_CASE("groups: uneven messages have the same counts in each, by ranks", "[run][groups][uneven]")
{
    for (const auto& [network, within] : splits) {
        const Group groups = Group::of(Topology::parse(network), within);
        for (const Collective collective : all_collectives) {
            if (!may_be_uneven(collective))
                continue;
            Problem problem = problem_in_groups(collective, groups);
            problem.packets = 1;
            problem.counts = counts_by_law("poisson:2", collective, groups.network(), 3);
            for (const PortModel ports : {PortModel::all, PortModel::one}) {
                CAPTURE(network, within_text(within), name(collective), name(ports));
                check_against_smaller(groups, problem, ports);
            }
        }
    }
}

TEST_CASE("groups: uneven messages that are given, apart and in place", "[run][groups][uneven]")
{
    const Topology torus = Topology::parse("torus:2x3");
    const Group rows = Group::of(torus, {1});
    Problem gather{.collective = Collective::all_gather, .bytes = 1, .counts = {2, 0, 1}};
    gather.within = rows.within();
    Bytes input(6);  // two bytes of node 0, one of node 2, two of node 3, one of node 5
    for (std::size_t i = 0; i < input.size(); ++i)
        input[i] = static_cast<std::byte>(i);
    Bytes expected;
    for (NodeId node = 0; node < 6; ++node)
        for (NodeId i = 0; i < 3; ++i)
            expected.push_back(static_cast<std::byte>(3 * rows.number(node) + i));
    Machine machine(torus);
    check_apart_and_in_place(machine, gather, input, expected);
    gather.counts = {2, 0, 1, 2, 0, 1};
    CHECK(error_of([&] { validate(gather, torus); }) ==
          "counts: 6 numbers are given: all-gather of " + rows.network().title() + " needs 3");
}

TEST_CASE("groups: each group's data are its own, given or made from a seed, and in place", "[run][groups]")
{
    const Topology topology = Topology::parse("torus:3x4");
    const Group rows = Group::of(topology, {1});
    Problem gather{.collective = Collective::all_gather, .bytes = 1};
    gather.within = rows.within();
    const Layout layout(gather, topology);
    CHECK(layout.input_bytes == 12);
    CHECK(layout.output_bytes == 48);
    Bytes input(12);
    for (std::size_t node = 0; node < input.size(); ++node)
        input[node] = static_cast<std::byte>(node);
    Bytes output(48);
    Machine machine(topology);
    run(machine, gather, input, output);
    for (NodeId node = 0; node < 12; ++node)
        for (NodeId rank = 0; rank < 4; ++rank)
            CHECK(output[node * 4 + rank] == static_cast<std::byte>(rows.node(rows.number(node), rank)));
    check_apart_and_in_place(machine, gather, input, output);
}

TEST_CASE("groups: each has its own root, in the order of the nodes", "[run][groups]")
{
    const Topology cube = Topology::hypercube(3);
    Problem broadcast{.collective = Collective::broadcast, .bytes = 4, .root = 1};
    broadcast.within = {0};  // the roots are nodes 1, 3, 5 and 7
    const Layout layout(broadcast, cube);
    CHECK(layout.input_bytes == 16);
    CHECK(layout.input(5).offset == 8);
    CHECK(layout.input(4).bytes == 0);
    CHECK(layout.of({4, 8}).input_bytes == 8);
    CHECK(layout.of({4, 8}).input(5).offset == 0);
    const std::vector<std::uint32_t> messages{10, 20, 30, 40};
    std::vector<std::uint32_t> copies(8);
    Machine machine(cube);
    run(machine, broadcast, std::as_bytes(std::span(messages)), std::as_writable_bytes(std::span(copies)));
    CHECK(copies == std::vector<std::uint32_t>{10, 10, 20, 20, 30, 30, 40, 40});
    broadcast.root = 2;
    CHECK(error_of([&] { validate(broadcast, cube); }) == "root 2 is not a node of hypercube:1: nodes are 0 to 1");
    Problem matrix{.collective = Collective::matrix_transpose};
    matrix.within = {0};
    CHECK(error_of([&] { validate(matrix, cube); }) ==
          "within is not possible for matrix-transpose: a matrix lies on all nodes");
}

TEST_CASE("groups: averages are those of the group, and exscans begin in each", "[run][groups]")
{
    const Topology cube = Topology::hypercube(3);
    std::vector<double> values(8);
    std::iota(values.begin(), values.end(), 0.0);
    std::vector<double> found(8, -1);
    Machine machine(cube);
    Problem problem{
        .collective = Collective::all_reduce, .bytes = 8, .operation = Operation::avg, .type = ElementType::float64};
    problem.within = {0, 1};
    run(machine, problem, std::as_bytes(std::span(values)), std::as_writable_bytes(std::span(found)));
    CHECK(found == std::vector<double>{1.5, 1.5, 1.5, 1.5, 5.5, 5.5, 5.5, 5.5});
    problem.collective = Collective::exscan;
    problem.operation = Operation::sum;
    std::ranges::fill(found, -1);
    run(machine, problem, std::as_bytes(std::span(values)), std::as_writable_bytes(std::span(found)));
    CHECK(found == std::vector<double>{-1, 0, 1, 3, -1, 4, 9, 15});
}

TEST_CASE("groups: links that take time, as predicted", "[run][groups]")
{
    for (const auto& [network, within] : splits)
        for (const Collective collective : {Collective::all_to_all, Collective::all_reduce, Collective::barrier}) {
            const Topology topology = Topology::parse(network);
            const Group groups = Group::of(topology, within);
            MachineOptions options;
            options.link = {LinkKind::link_bound, {1, 2}, {30, 1}, LinkClock::data_driven};
            CAPTURE(network, within_text(within), name(collective));
            Machine machine(topology, options);
            const Report report = run_verified(machine, problem_in_groups(collective, groups));
            CHECK(report.verified);
            if (report.predicted_time_ns && report.prediction_is_exact)
                CHECK(report.virtual_time_ns == report.predicted_time_ns);
            CHECK(*report.virtual_time_ns >= *report.time_lower_bound_ns);
        }
}

TEST_CASE("groups: node programs await a collective of rows, then one of columns", "[run][groups]")
{
    // Sums along rows, then along columns: the sum of all.
    Machine machine(Topology::parse("torus:3x4"), {.threads = 2});
    const Group columns = Group::of(machine.topology(), {0});
    const Group rows = Group::of(machine.topology(), {1});
    const Problem sum{
        .collective = Collective::all_reduce, .bytes = sizeof(std::uint64_t), .type = ElementType::uint64};
    const Prepared along_rows(machine, rows, sum);
    const Prepared along_columns(machine, columns, sum);
    std::vector<std::uint64_t> mine(12);  // what is sent outlives the programs
    std::vector<std::uint64_t> of_row(12);
    std::vector<std::uint64_t> results(12);
    const Counts counts = machine.run([&](Node& me) -> Task {
        mine[me.id()] = std::uint64_t{1} << me.id();
        co_await along_rows(me, mine[me.id()], of_row[me.id()]);
        co_await along_columns(me, of_row[me.id()], results[me.id()]);
    });
    CHECK(results == std::vector<std::uint64_t>(12, 0xfff));
    CHECK(counts.steps == along_rows.steps() + along_columns.steps());
    CHECK(error_of([&] { Prepared(machine, Group::of(Topology::hypercube(4), {0}), sum); }) ==
          "the groups are of hypercube:4, and the machine is torus:3x4");
}

TEST_CASE("groups: the machine may be spread over ranks", "[run][groups]")
{
    // The report of one rank is the measure: layouts of several are those of layout_test.cpp.
    Problem scatter{.collective = Collective::scatter, .bytes = 4, .root = 1};
    scatter.within = {1, 2};
    const Topology cube = Topology::hypercube(4);
    const Layout whole(scatter, cube);
    std::size_t inputs = 0;
    for (unsigned rank = 0; rank < 3; ++rank)
        inputs += whole.of(nodes_of_rank(rank, 3, 16)).input_bytes;
    CHECK(inputs == whole.input_bytes);
}

TEST_CASE("groups: a trace that leaves its group, or lacks a packet in one, is refused", "[run][groups][negative]")
{
    const Topology cube = Topology::hypercube(2);
    Problem gather{.collective = Collective::all_gather, .bytes = 1};
    gather.within = {0};
    const auto line = [](int from, int to, int origin) {
        return "{\"step\":1,\"from\":" + std::to_string(from) + ",\"to\":" + std::to_string(to) +
               ",\"pieces\":[{\"origin\":" + std::to_string(origin) + "}]}\n";
    };
    const auto why = [&](const std::string& text) {
        return error_of([&] {
            std::istringstream trace(text);
            judge_trace(trace, cube, PortModel::all, gather);
        });
    };
    const std::string whole = line(0, 1, 0) + line(1, 0, 1) + line(2, 3, 2) + line(3, 2, 3);
    CHECK(why(whole).empty());
    CHECK(why(line(0, 1, 0) + line(0, 2, 0)) == "line 2: port 1 of node 0 leads to node 2, which is in another group");
    CHECK(why(line(0, 1, 2)) == "line 1: a piece has a node that is not in the group of node 0");
    CHECK(why(line(0, 1, 0) + line(1, 0, 1) + line(2, 3, 2)) ==
          "in group 1, by ranks: node 0 never received byte 0 of the message from node 1");
    // Without pieces a line carries what its receiver lacks, of its own group.
    CHECK(why("{\"step\":1,\"from\":0,\"to\":1}\n{\"step\":1,\"from\":1,\"to\":0}\n{\"step\":1,\"from\":2,\"to\":3}\n"
              "{\"step\":1,\"from\":3,\"to\":2}\n")
              .empty());
}

TEST_CASE("groups: a wrong result is found, and its node is named", "[run][groups][negative]")
{
    // Only the roots have the message in the end.
    const Algorithm wrong{
        .collective = Collective::broadcast, .name = "wrong", .prepare = [](const Topology&, const Problem&) {
            return [](Node& me, NodeData data) -> Task {
                if (!data.input.empty())
                    me.copy(data.output, data.input);
                co_return;
            };
        }};
    Problem problem{.collective = Collective::broadcast, .bytes = 8};
    problem.within = {0};
    Machine machine(Topology::hypercube(2));
    const std::string error = error_of([&] { run_verified(machine, wrong, problem); });
    CHECK(error.starts_with("node 1, by the ranks of its group: node 1: byte 0 of the message from node 0 is wrong"));
}
