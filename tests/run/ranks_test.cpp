// A collective over several ranks is the same collective: every entry of the catalogue, on networks of all kinds, gives
// the report, the results and the trace of one process.

#include "collectives/example.hpp"
#include "tests/support/catalogue_cases.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/drawn_networks.hpp"
#include "tests/support/drawn_problems.hpp"
#include "tests/support/link_bound.hpp"
#include "tests/support/local_world.hpp"
#include "tests/support/own_threads.hpp"
#include "tests/support/sizes.hpp"
#include "tests/support/trace_line.hpp"

#include <dcube/dcube.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

using namespace dcube;
using namespace test_support;

namespace {

// The visible results of a run, on one rank or of all together.
struct Seen {
    std::string report;  // but for measured values
    std::vector<std::byte> output;
    std::string trace;
    std::string error;
};

struct Asked {
    Topology topology;
    Problem problem;
    std::string algorithm;
    MachineOptions machine;
    std::vector<Failing> failing{};
    bool traced = false;
};

// The report as JSON, without the values that differ between runs or numbers of ranks: few nodes get few threads.
std::string comparable(const Report& report)
{
    nlohmann::json all = nlohmann::json::parse(to_json(report));
    for (const char* const key :
         {"threads", "wall_seconds", "hops_per_second", "link_bytes_per_second", "peak_memory_bytes", "date", "ranks",
          "hosts", "cross_rank_packets", "cross_rank_bytes", "cross_rank_messages", "communication_seconds",
          "slowest_rank", "planning_seconds"}) {
        REQUIRE(all.erase(key) == 1);
    }
    std::string text = all.dump();
    for (const Phase& phase : report.counts.phases)
        text += fmt::format(" {} {}-{}", phase.name, phase.first, phase.last);
    for (const Counter& counter : report.counts.counters)
        text += fmt::format(" {}={}", counter.name, counter.value);
    return text;
}

struct RankRun {
    std::optional<Report> report{};
    Seen seen{};
};

RankRun run_on_rank(const Asked& question, const std::shared_ptr<World>& world)
{
    RankRun run;
    CallOptions call;
    call.algorithm = question.algorithm;
    call.run.failing = question.failing;
    if (question.traced)
        call.run.trace = [&](const Transmission& t) { run.seen.trace += trace_line(t, question.problem.link); };
    VerifiedRunOptions how;
    how.output = [&](std::span<const std::byte> own) {
        run.seen.output.insert(run.seen.output.end(), own.begin(), own.end());
    };
    MachineOptions options = question.machine;
    options.world = world;
    if (options.threads > 1)
        options.workers = std::make_shared<OwnThreads>(options.threads, OwnThreads::When::always);
    try {
        Machine machine(question.topology, options);
        run.report = run_verified(machine, question.problem, how, call);
    } catch (const Error& error) {
        run.seen.error = error.what();
    }
    return run;
}

// All ranks' outputs one after the other; `error` says so if ranks had different results.
Seen run_over(const Asked& question, unsigned ranks)
{
    std::vector<RankRun> runs(ranks);
    run_ranks(ranks, [&](const std::shared_ptr<World>& world) { runs[world->rank()] = run_on_rank(question, world); });
    Seen all;
    for (RankRun& run : runs) {
        const bool first = &run == runs.data();
        if (run.report)
            run.seen.report = comparable(*run.report);
        if (run.report && run.report->ranks != ranks)
            run.seen.report += fmt::format(" of {} ranks", run.report->ranks);
        if (!first && (run.seen.report != runs.front().seen.report || run.seen.error != runs.front().seen.error))
            all.error = "ranks were told different things: " + run.seen.report + run.seen.error;
        if (!first && !run.seen.trace.empty())
            all.error = "a second sink was called";
        all.output.insert(all.output.end(), run.seen.output.begin(), run.seen.output.end());
    }
    all.report = runs.front().seen.report;
    all.trace = runs.front().seen.trace;
    all.error += runs.front().seen.error;
    return all;
}

void check_same(const Seen& expected, const Seen& found)
{
    CHECK(found.error == expected.error);
    CHECK(found.report == expected.report);
    CHECK(found.trace == expected.trace);
    CHECK((found.output == expected.output));
}

Seen seen_alone(const Asked& question)
{
    RankRun run = run_on_rank(question, nullptr);
    if (run.report)
        run.seen.report = comparable(*run.report);
    return run.seen;
}

// Compares runs on 1 to 5 ranks, as far as there are nodes, with one on a single rank. One more run is traced, on a
// number of ranks that changes with the turn.
void check_ranks(Asked question, std::size_t turn)
{
    const unsigned most = std::min(5U, question.topology.nodes());
    const Seen expected = seen_alone(question);
    for (unsigned ranks = 1; ranks <= most; ++ranks) {
        CAPTURE(ranks);
        check_same(expected, run_over(question, ranks));
    }
    if (most < 2)
        return;
    question.traced = true;
    const unsigned ranks = 2 + static_cast<unsigned>(turn % (most - 1));
    CAPTURE(ranks);
    check_same(seen_alone(question), run_over(question, ranks));
}

// Cases differ little: every entry's first one, and some of the others.
class Some {
public:
    explicit Some(std::size_t every) : every_(every) {}
    bool takes(const Entry& algorithm) { return tried_.insert(&algorithm).second || ++others_ % every_ == 0; }
    // Entries for such links that were not tried.
    [[nodiscard]] std::string missing(LinkKind link) const
    {
        std::string names;
        for (const Entry& algorithm : catalogue())
            if (algorithm.link == link && !tried_.contains(&algorithm))
                names += fmt::format("{} {} ", name(algorithm.collective), algorithm.name);
        return names;
    }

private:
    std::size_t every_;
    std::size_t others_ = 0;
    std::set<const Entry*> tried_{};
};

// Options that change with the turn: both channels, one thread and two, capacities 1 to 3, lent bytes watched or not.
MachineOptions machine_of_turn(std::size_t turn)
{
    return {.threads = turn % 3 == 0 ? 2U : 1U,
            .channel = turn % 5 < 3 ? ChannelKind::slots : ChannelKind::spsc,
            .channel_capacity = 1 + turn / 2 % 3,
            .watch_lent_bytes = turn % 4 == 3};
}

}  // namespace

TEST_CASE("ranks: every algorithm of the unit model does on 1 to 5 of them what it does in one process",
          "[run][world][slow]")
{
    std::size_t turn = 0;
    Some some(smaller(40U, 120U, 200U));
    const auto check = [&](const Case& one) {
        if (!some.takes(one.algorithm))
            return;
        INFO(words(one));
        Asked question{one.topology, one.problem, std::string(one.algorithm.name), machine_of_turn(turn)};
        question.machine.ports = one.algorithm.ports;
        check_ranks(question, turn++);
    };
    for_each_unit_case(smaller(5U, 3U), check);
    for (const char* const text : {"ring:5", "path:5"})  // for which alone two entries are
        for (const Entry& algorithm : catalogue()) {
            const Topology topology = Topology::parse(text);
            const Problem problem = example_problem(algorithm.collective, topology);
            if (algorithm.link == LinkKind::unit && obstacle_of(algorithm, topology, algorithm.ports, problem).empty())
                check({algorithm, topology, problem});
        }
    CHECK((sanitized ? "" : some.missing(LinkKind::unit)) == "");
}

TEST_CASE("ranks: every algorithm of the link-bound model does on 1 to 5 of them what it does in one process",
          "[run][world][slow]")
{
    std::size_t turn = 0;
    Some some(smaller(30U, 90U, 200U));
    const auto check = [&](const Case& one) {
        if (!some.takes(one.algorithm))
            return;
        INFO(words(one));
        Asked question{one.topology, one.problem, std::string(one.algorithm.name), machine_of_turn(turn)};
        question.machine.link = one.problem.link;
        if (turn % 3 == 0)
            question.machine.link.clock = LinkClock::lockstep;
        question.problem.link = question.machine.link;
        check_ranks(question, turn++);
    };
    for_each_link_bound_case(1, 4, {1, 11}, check);  // on hypercubes
    for (const char* const text : {"torus:3x4", "ring:5 with 0-1:3:50", "complete:5 with 0-1:3:50,4"}) {
        const Topology network = Topology::parse(text);
        for (const Entry& algorithm : catalogue()) {
            Problem problem = example_problem(algorithm.collective, network);
            problem.peer = std::min<NodeId>(problem.peer, 3);  // no switch
            problem.link = network.links(link_bound(2, 100));
            if (algorithm.link == LinkKind::link_bound &&
                obstacle_of(algorithm, network, PortModel::all, problem).empty())
                check({algorithm, network, problem});
        }
    }
    CHECK((sanitized ? "" : some.missing(LinkKind::link_bound)) == "");
}

TEST_CASE("ranks: runs on networks of any shape, also with missing links and nodes, do what they do in one process",
          "[run][world][slow]")
{
    std::size_t turn = 0;
    for (std::size_t which = 0; which < test::drawn_networks; which += smaller(3U, 11U)) {
        const Topology topology = test::drawn_network(which);
        if (topology.members() > 45)
            continue;
        for (std::size_t i = 0; i < 2; ++i, ++turn) {
            const Collective collective =
                test::any_network_collectives[(turn * 4) % test::any_network_collectives.size()];
            const Problem problem = test::drawn_problem(topology, collective, 1 + turn % 3, turn);
            CAPTURE(topology.name(), name(collective), turn);
            check_ranks({topology, problem, "auto", machine_of_turn(turn)}, turn);
        }
    }
    CHECK(turn > smaller(10U, 5U));
}

TEST_CASE("ranks: lost packets are counted, and end a run, as in one process", "[run][world]")
{
    const Topology cube = Topology::hypercube(4);
    const Problem problem{.collective = Collective::broadcast, .bytes = 5, .packets = 4, .root = 3};
    std::size_t turn = 0;
    for (const char* const algorithm : {"independent-trees", "pipelined"})
        for (const std::vector<Failing>& failing :
             {std::vector<Failing>{{3, 2, 1}}, {{3, 2, 1}, {8, 9, 2}}, {failing_node(12, 2)}, {failing_node(4, 1)}}) {
            CAPTURE(algorithm, failing.size(), failing.front().from);
            check_ranks({cube, problem, algorithm, machine_of_turn(turn), failing}, turn);
            ++turn;
        }
}

TEST_CASE("ranks: on every network the named link fails, and no other", "[run][world]")
{
    std::size_t turn = 0;
    for (const char* const network : {"path:6", "ring:6", "torus:3x3", "petersen", "hypercube:3", "ring:6 without 2"}) {
        const Topology topology = Topology::parse(network);
        const Problem problem{.collective = Collective::gather, .bytes = 3, .root = topology.member(1)};
        for (NodeId node = 0; node < topology.nodes(); ++node)
            for (Port port = 0; port < topology.ports(node); ++port) {
                const NodeId other = topology.neighbour(node, port);
                if (other < node || ++turn % smaller(1U, 5U) != 0)
                    continue;
                const Failing failing = turn % 4 == 0 ? failing_node(other, 1) : Failing{node, other, 1};
                CAPTURE(network, to_string(failing));
                const Asked question{topology, problem, "auto", machine_of_turn(turn), {failing}};
                check_same(seen_alone(question), run_over(question, 2 + turn % 2));
            }
    }
    CHECK(turn > 40);
}
