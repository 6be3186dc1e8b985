#include "cli/commands/own_checks.hpp"

#include "base/numbers.hpp"
#include "cli/commands/wrong_programs.hpp"
#include "collectives/example.hpp"

#include <dcube/error.hpp>
#include <dcube/judge.hpp>
#include <dcube/report.hpp>
#include <dcube/run.hpp>
#include <dcube/schedule.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <sstream>
#include <string_view>
#include <utility>

namespace dcube::cli {

namespace {

// Cubes of odd and even dimension, a ring, a torus, and a network of which no two nodes look alike.
constexpr const char* networks[]{"hypercube:3", "mesh:3x3 without 0-1,4-7", "hypercube:2", "ring:5", "torus:4x3"};
// Ranks wait for each other in every step, which takes long on a busy host: the first two networks, and one thread.
std::span<const char* const> networks_for(const World& world)
{
    return std::span(networks).first(world.ranks() == 1 ? std::size(networks) : 2);
}

struct Model {
    std::string_view name;
    PortModel ports;
    LinkModel link;
};

const Model models[]{
    {"all ports", PortModel::all, {}},
    {"one port", PortModel::one, {}},
    {"links that take time", PortModel::all, {LinkKind::link_bound, {1, 1}, {100, 1}}},
};

void require(bool holds, const std::string& otherwise)
{
    if (!holds)
        throw VerificationError(otherwise);
}

std::string counts_text(const Report& report)
{
    const Counts& counts = report.counts;
    return fmt::format("{} steps, {} packets of {} bytes, time {}, result {}", counts.steps, counts.transmissions,
                       counts.bytes, counts.virtual_time, report.result_digest);
}

// ---- Runs ----

// Packets a message: some algorithms can do with one only, others use their links only with more.
constexpr std::size_t few_and_more[]{1, 3};

// Matrices have one size.
std::optional<Problem> small_problem(Collective collective, const Topology& topology, const Model& model,
                                     std::size_t packets)
{
    if (is_matrix(collective) && packets > 1)
        return std::nullopt;
    Problem problem = example_problem(collective, topology);
    if (!is_matrix(collective)) {
        problem.bytes = 16;
        problem.packets = packets;
        problem.type = ElementType::uint32;
        problem.root = has_root(collective) || has_peer(collective) ? 2 : 0;
    }
    problem.link = model.link;
    try {
        validate(problem, topology);
    } catch (const InvalidArgument&) {
        return std::nullopt;  // matrices that the network has no place for
    }
    return problem;
}

struct SmallRun {
    Topology topology;
    Model model;
    Problem problem;
};

std::vector<SmallRun> small_runs(Collective collective, const World& world)
{
    std::vector<SmallRun> all;
    for (const char* const network : networks_for(world))
        for (const Model& model : models)
            for (const std::size_t packets : few_and_more) {
                const Topology topology = Topology::parse(network);
                if (const auto problem = small_problem(collective, topology, model, packets))
                    all.push_back({topology, model, *problem});
            }
    return all;
}

// "hypercube:3, all ports, 3 packets".
std::string name_of(const SmallRun& run)
{
    return fmt::format("{}, {}, {}", run.topology.name(), run.model.name, counted(run.problem.packets, "packet"));
}

MachineOptions options_of(const Model& model, unsigned threads, const std::shared_ptr<World>& world)
{
    return {.ports = model.ports, .link = model.link, .threads = threads, .world = world};
}

void check_promises(const Algorithm& algorithm, const SmallRun& run, const Report& report)
{
    if (algorithm.cost && !run.model.link.bound()) {
        const Cost promised = algorithm.cost(run.topology, run.problem);
        require(promised == Cost{report.counts.steps, report.counts.transmissions},
                fmt::format("{} steps and {} packets were promised, but it took {}", promised.steps,
                            promised.transmissions, counts_text(report)));
    }
    require(report.counts.steps >= report.steps_lower_bound || run.model.link.bound(),
            fmt::format("{} steps are fewer than the lower bound, {}", report.counts.steps, report.steps_lower_bound));
    require(!report.prediction_is_exact || !report.predicted_time_ns || !report.virtual_time_ns ||
                report.predicted_time_ns == report.virtual_time_ns,
            "the virtual time is not the predicted one");
}

// Every rank makes both runs before it looks at what they report: one that left in between would leave the others
// alone.
void check_run(const Algorithm& algorithm, const SmallRun& run, const std::shared_ptr<World>& world)
{
    std::vector<Report> reports;
    for (unsigned threads = 1; threads <= (world->ranks() == 1 ? 2U : 1U); ++threads) {
        Machine machine(run.topology, options_of(run.model, threads, world));
        reports.push_back(run_verified(machine, algorithm, run.problem));
    }
    check_promises(algorithm, run, reports.front());
    const std::string alone = counts_text(reports.front());
    const std::string two = counts_text(reports.back());
    require(two == alone, fmt::format("one thread reports {}, but two report {}", alone, two));
}

// ---- What must be noticed ----

void check_caught(const WrongProgram& wrong, const std::shared_ptr<World>& world)
{
    for (const unsigned threads : {1U, 2U}) {
        MachineOptions options = wrong.machine;
        options.threads = threads;
        options.world = world;
        Machine machine(Topology::hypercube(3), options);
        try {
            machine.run(wrong.program, wrong.run);
        } catch (const RuleViolation& violation) {
            require(violation.rule == wrong.rule && violation.step == wrong.step && violation.node == wrong.node &&
                        violation.port == wrong.port,
                    fmt::format("expected {} in step {} at node {}, but got: {}", name(wrong.rule), wrong.step,
                                wrong.node, violation.what()));
            continue;
        }
        throw VerificationError("nobody noticed that the rule was broken");
    }
}

// Broadcast on a path, from node to node; the last `forgotten` packets are left out.
Algorithm along_path(NodeId forgotten)
{
    return algorithm_of(
        {.collective = Collective::broadcast, .name = "along-path"}, [forgotten](const Topology& path, const Problem&) {
            Schedule schedule{.steps = path.nodes() - 1};
            for (NodeId node = 0; node + 1 + forgotten < path.nodes(); ++node)
                schedule.hops.push_back(
                    {.step = node + 1, .from = node, .port = path.ports(node) - 1, .packet = {.origin = 0}});
            return schedule;
        });
}

// The same as a program, of which the last node changes a byte.
Algorithm with_a_wrong_byte()
{
    Algorithm wrong = along_path(0);
    wrong.prepare = [](const Topology& path, const Problem&) -> CollectiveProgram {
        return [last = path.nodes() - 1](Node& me, NodeData data) -> Task {
            if (me.id() == 0)
                me.copy(data.output, data.input);
            co_await me.until(me.id() + 1);
            if (me.id() > 0)
                me.receive(0, data.output);
            if (me.id() < last)
                me.send(me.ports() - 1, data.output);
            else
                data.output.front() ^= std::byte{1};
            co_await me.next_step();
        };
    };
    return wrong;
}

const Topology& a_path()
{
    static const Topology path = Topology::parse("path:4");
    return path;
}

Report run_on_path(const Algorithm& algorithm, const std::shared_ptr<World>& world, const RunOptions& how = {})
{
    Machine machine(a_path(), {.threads = 1, .world = world});
    return run_verified(machine, algorithm, {.collective = Collective::broadcast, .bytes = 24}, {}, how);
}

void check_refused(const Algorithm& algorithm, const std::shared_ptr<World>& world)
{
    try {
        run_on_path(algorithm, world);
    } catch (const VerificationError&) {
        return;
    }
    throw VerificationError("nobody noticed that a node holds wrong bytes");
}

CheckGroup checks_of_results(const std::shared_ptr<World>& world)
{
    return {"wrong results",
            {{"a good algorithm passes", [world] { run_on_path(along_path(0), world); }},
             {"a packet that is not sent is noticed", [world] { check_refused(along_path(1), world); }},
             {"a byte that is changed is noticed", [world] { check_refused(with_a_wrong_byte(), world); }}}};
}

// ---- Traces ----

using Lines = std::vector<std::string>;

// The header, and a line for each packet. Of several ranks the first gets them, and the others nothing.
Lines trace_of(Machine& machine, const Problem& problem, Report& report)
{
    std::ostringstream text;
    CallOptions options;
    options.run.trace = write_trace(text, {machine.topology(), machine.ports(), problem});
    report = run_verified(machine, problem, {}, options);
    std::istringstream in(text.str());
    Lines lines;
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

Verdict judged(const Lines& lines)
{
    std::istringstream in(fmt::format("{}\n", fmt::join(lines, "\n")));
    JudgeOptions options;
    options.question = [](const std::optional<TraceQuestion>& header) { return header.value(); };
    return judge_trace(in, options);
}

void require_refused(const Lines& lines, const char* otherwise)
{
    try {
        judged(lines);
    } catch (const TraceError&) {
        return;
    }
    throw VerificationError(otherwise);
}

// The trace of a run is accepted with the run's counts, and without its last line, or with one twice, it is not.
void check_trace(const SmallRun& run, const std::shared_ptr<World>& world)
{
    Machine machine(run.topology, options_of(run.model, 2, world));
    Report report;
    Lines lines = trace_of(machine, run.problem, report);
    if (world->rank() != 0)
        return;
    const Verdict verdict = judged(lines);
    require(verdict.transmissions == report.counts.transmissions && verdict.virtual_time_ns == report.virtual_time_ns &&
                (run.model.link.bound() || verdict.steps == report.counts.steps),
            fmt::format("the judge counts {} steps and {} packets, but the run took {}", verdict.steps,
                        verdict.transmissions, counts_text(report)));
    const std::string last = lines.back();
    lines.pop_back();
    require_refused(lines, "a trace without its last packet is accepted");
    lines.insert(lines.end(), 2, last);
    require_refused(lines, "a trace with a packet twice is accepted");
}

}  // namespace

CheckGroup checks_of_runs(Collective collective, std::span<const Algorithm* const> all,
                          const std::shared_ptr<World>& world)
{
    CheckGroup group{std::string(name(collective)), {}};
    for (const SmallRun& run : small_runs(collective, *world))
        for (const Algorithm* const algorithm : all)
            if (obstacle_of(*algorithm, run.topology, run.model.ports, run.problem).empty())
                group.checks.push_back({fmt::format("{} on {}", algorithm->name, name_of(run)),
                                        [algorithm, run, world] { check_run(*algorithm, run, world); }});
    return group;
}

std::vector<WrongProgram> wrong_programs()
{
    using namespace wrong;
    constexpr Port none = RuleViolation::no_port;
    const LinkModel link{LinkKind::link_bound, {1, 1}, {100, 1}};
    const LinkModel slow{LinkKind::link_bound, {0, 1}, {std::numeric_limits<std::int64_t>::max(), 1}};
    RunOptions failing;
    failing.failing = {{2, 3, 1}};
    return {
        {Rule::no_such_port, 2, 5, 3, uses_a_missing_port},
        {Rule::link_busy, 3, 4, 1, sends_twice_on_a_link},
        {Rule::second_send, 1, 3, 2, sends_on_two_ports, {.ports = PortModel::one}},
        {Rule::second_receive, 2, 0, 2, crowds_node_0, {.ports = PortModel::one}},
        {Rule::channel_full, 2, 5, 0, fills_a_channel},
        {Rule::nothing_arrived, 2, 2, 1, receives_nothing},
        {Rule::size_mismatch, 2, 3, 2, expects_another_size},
        {Rule::never_received, 2, 4, 1, leaves_a_packet},
        {Rule::lent_bytes_changed, 2, 2, 0, changes_lent_bytes, {.watch_lent_bytes = true}},
        {Rule::deadlock, 3, 6, 1, waits_in_vain},
        {Rule::empty_packet, 2, 3, 1, sends_nothing, {.link = link}},
        {Rule::time_overflow, 3, 2, 0, takes_too_long, {.link = slow}},
        {Rule::too_many_steps, (Step{1} << 31) - 1, 0, none, sleeps_too_long},
        {Rule::not_together, 2, 3, 0, begins_alone},
        {Rule::task_not_awaited, 3, 5, none, forgets_a_task},
        {Rule::no_such_task, 2, 7, none, awaits_a_task_twice},
        {Rule::packet_lost, 1, 2, 0, counts_on_packets, {}, failing},
        {Rule::stray_packet, 2, 4, 0, begins_too_early},
    };
}

CheckGroup checks_of_rules(std::span<const WrongProgram> programs, const std::shared_ptr<World>& world)
{
    CheckGroup group{"broken rules", {}};
    for (const WrongProgram& one : programs)
        group.checks.push_back(
            {fmt::format("{} is noticed", name(one.rule)), [one, world] { check_caught(one, world); }});
    return group;
}

namespace {

CheckGroup checks_of_traces(const std::shared_ptr<World>& world)
{
    CheckGroup group{"traces", {}};
    for (const Collective collective : {Collective::all_to_all, Collective::all_reduce, Collective::scatter})
        for (const SmallRun& run : small_runs(collective, *world))
            group.checks.push_back(
                {fmt::format("{} on {}", name(collective), name_of(run)), [run, world] { check_trace(run, world); }});
    return group;
}

}  // namespace

std::vector<CheckGroup> own_checks(const std::shared_ptr<World>& world)
{
    std::vector<CheckGroup> groups;
    for (const Collective collective : all_collectives)
        groups.push_back(checks_of_runs(collective, algorithms_for(collective), world));
    groups.push_back(checks_of_rules(wrong_programs(), world));
    groups.push_back(checks_of_results(world));
    groups.push_back(checks_of_traces(world));
    return groups;
}

std::string failure_of(const OwnCheck& check, World& world)
{
    try {
        together(world, check.make);
        return {};
    } catch (const Interrupted&) {
        throw;
    } catch (const std::exception& error) {
        return error.what();
    }
}

}  // namespace dcube::cli
