#include "tests/support/schedule_trace.hpp"

#include "collectives/example.hpp"
#include "judge/result_check.hpp"

#include <dcube/dcube.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <sstream>
#include <tuple>

namespace test_support {

using namespace dcube;

std::vector<Move> all_moves(const Topology& topology, const Schedule& schedule, NodeId root)
{
    std::vector<Move> moves;
    const auto relabelled = [&](const Hop& hop, NodeId by) {
        moves.push_back(
            {hop.step,
             topology.translate(hop.from, by),
             hop.port,
             {topology.translate(hop.packet.origin, by), topology.translate(hop.packet.target, by), hop.packet.copy}});
    };
    for (const Hop& hop : schedule.hops) {
        if (schedule.symmetry == Symmetry::rooted) {
            relabelled(hop, root);
            continue;
        }
        for (NodeId node = 0; node < topology.nodes(); ++node)
            relabelled(hop, node);
    }
    std::sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) {
        return std::tuple(a.step, a.from, a.port) < std::tuple(b.step, b.from, b.port);
    });
    return moves;
}

std::string trace_of(const Topology& topology, const Problem& problem, const std::vector<Move>& moves)
{
    const bool sums = is_reduction(problem.collective);
    const bool to_all = problem.collective == Collective::broadcast || problem.collective == Collective::all_gather;
    std::string trace;
    for (const Move& move : moves) {
        const std::string origin = sums ? "null" : std::to_string(move.packet.origin);
        const std::string target = to_all ? "null" : std::to_string(move.packet.target);
        fmt::format_to(std::back_inserter(trace),
                       R"({{"step":{},"from":{},"to":{},"port":{},"bytes":{},"pieces":[{{"origin":{},"target":{},)"
                       R"("offset":{},"length":{}}}]}})"
                       "\n",
                       move.step, move.from, topology.neighbour(move.from, move.port), move.port, problem.bytes, origin,
                       target, move.packet.copy * problem.bytes, problem.bytes);
    }
    return trace;
}

std::string judged(const Topology& topology, PortModel ports, const Problem& problem, const std::string& trace)
{
    return judged({topology, ports, problem}, trace);
}

std::string judged(const TraceQuestion& question, const std::string& trace)
{
    std::istringstream in(trace);
    JudgeOptions options;
    options.question = [&](const std::optional<TraceQuestion>&) { return question; };
    try {
        judge_trace(in, options);
    } catch (const TraceError& error) {
        return error.what();
    }
    return {};
}

ScheduleRun run_schedule(const Topology& topology, PortModel ports, const Problem& problem, const Schedule& schedule)
{
    ScheduleRun done;
    const Layout layout(problem, topology);
    std::vector<std::byte> input(layout.input_bytes);
    std::vector<std::byte> output(layout.output_bytes);
    for (NodeId node = 0; node < topology.nodes(); ++node)
        if (const auto [offset, bytes] = layout.input(node); bytes != 0)
            fill_input(problem, topology, 1, node, std::span(input).subspan(offset, bytes));
    try {
        const CollectiveProgram program = program_of(schedule, topology, problem);
        Machine machine(topology, {.ports = ports, .threads = 2});
        done.counts = machine.run([&](Node& me) { return program(me, node_data(layout, input, output, me.id())); });
        const Checker checker(problem, topology, 1);
        for (NodeId node = 0; node < topology.nodes(); ++node)
            if (const auto [offset, bytes] = layout.output(node); bytes != 0)
                checker.check(node, std::span(output).subspan(offset, bytes));
    } catch (const Error& error) {
        done.fault = error.what();
    }
    return done;
}

}  // namespace test_support
