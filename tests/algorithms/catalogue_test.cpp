// Every entry of the catalogue over its whole range of small parameters.

#include "tests/support/catalogue_cases.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/schedule_trace.hpp"
#include "tests/support/sizes.hpp"
#include "tests/support/trace_line.hpp"

#include <dcube/dcube.hpp>

#include <fmt/format.h>

#include <array>
#include <optional>
#include <set>

using namespace dcube;
using namespace test_support;

namespace {

constexpr unsigned largest_cube = smaller(6U, 4U);

struct Outcome {
    Report report;
    std::vector<std::string> trace;
};

Outcome run_case(const Case& one, MachineOptions options, bool traced)
{
    options.ports = one.algorithm.ports;
    Machine machine(one.topology, options);
    Outcome outcome;
    CallOptions call;
    call.algorithm = one.algorithm.name;
    if (traced)
        call.run.trace = [&outcome](const Transmission& t) { outcome.trace.push_back(trace_line(t)); };
    VerifiedRunOptions trial;
    outcome.report = run_verified(machine, one.problem, trial, call);
    return outcome;
}

std::string joined(const std::vector<std::string>& lines)
{
    std::string all;
    for (const std::string& line : lines)
        all += line;
    return all;
}

bool same(const Report& a, const Report& b)
{
    const auto use = [](const std::optional<LinkUse>& link) {
        return link ? std::tuple(link->from, link->port, link->packets)
                    : std::tuple(NodeId{0}, Port{0}, std::uint64_t{0});
    };
    return a.counts.steps == b.counts.steps && a.counts.transmissions == b.counts.transmissions &&
           a.counts.bytes == b.counts.bytes && use(a.counts.busiest) == use(b.counts.busiest) &&
           use(a.counts.idlest) == use(b.counts.idlest) && a.counts.storage_bytes == b.counts.storage_bytes &&
           a.blocks_verified == b.blocks_verified && a.result_digest == b.result_digest;
}

// The transmissions of any algorithm that sends every packet on a shortest path, or once to every node. Sums of sums
// aside.
std::optional<std::uint64_t> least_transmissions(const Case& one)
{
    const Problem& problem = one.problem;
    if (one.algorithm.redundant || one.algorithm.name.starts_with("priced-routes"))  // sends copies, makes detours
        return std::nullopt;
    const std::uint64_t n = one.topology.nodes();
    std::uint64_t distances = 0;  // over all pairs
    std::uint64_t from_root = 0;
    for (NodeId u = 0; u < n; ++u) {
        from_root += one.topology.distance(problem.root, u);
        for (NodeId v = 0; v < n; ++v)
            distances += one.topology.distance(u, v);
    }
    if (problem.collective == Collective::broadcast || problem.collective == Collective::reduce)
        return problem.packets * (n - 1);
    if (problem.collective == Collective::scatter || problem.collective == Collective::gather)
        return problem.packets * from_root;
    if (problem.collective == Collective::all_gather || problem.collective == Collective::reduce_scatter)
        return problem.packets * n * (n - 1);
    if (problem.collective == Collective::all_to_all)
        return problem.packets * distances;
    return std::nullopt;
}

}  // namespace

TEST_CASE(
    "every algorithm delivers every byte, changes none that it has lent, and takes the steps that its entry promises",
    "[algorithms][slow]")
{
    int cases = 0;
    for_each_unit_case(largest_cube, [&](const Case& one) {
        INFO(words(one));
        // Every second one as fast as can be, the others with an eye on the bytes that are lent.
        const bool watched = cases % 2 == 1;
        const Report report = run_case(one, {.threads = watched ? 2U : 1U, .watch_lent_bytes = watched}, false).report;
        const Cost cost = one.algorithm.cost(one.topology, one.problem);
        CHECK(report.verified);
        CHECK(report.counts.steps == cost.steps);
        CHECK(report.counts.transmissions == cost.transmissions);
        CHECK(cost.transmissions == least_transmissions(one).value_or(cost.transmissions));
        if (!is_matrix(one.problem.collective))
            CHECK(report.counts.bytes == cost.transmissions * packet_size(one.problem));
        CHECK(cost.steps >= report.steps_lower_bound);
        CHECK(cost.transmissions >= report.transmissions_lower_bound);
        CHECK(report.counts.storage_bytes <= one.algorithm.storage(one.topology, one.problem));
        ++cases;
    });
    CHECK(cases > smaller(3000, 100));
}

TEST_CASE("reports and traces are the same for any number of threads, channel and capacity", "[algorithms][slow]")
{
    struct Setting {
        ChannelKind channel;
        unsigned threads;
        std::size_t capacity;
        bool traced;
    };
    // Each channel with each number of threads, and each capacity; two of them for a case, one with a trace.
    const std::vector<Setting> settings{{ChannelKind::slots, 1, 3, false}, {ChannelKind::slots, 2, 1, true},
                                        {ChannelKind::slots, 4, 2, false}, {ChannelKind::spsc, 2, 2, true},
                                        {ChannelKind::spsc, 1, 64, false}, {ChannelKind::slots, 3, 1, true},
                                        {ChannelKind::spsc, 4, 1, false},  {ChannelKind::spsc, 3, 1, true}};
    std::size_t next = 0;
    for_each_unit_case(smaller(5U, 4U, 3U), [&](const Case& one) {
        INFO(words(one));
        const Outcome reference = run_case(one, {.threads = 1}, true);
        for (int i = 0; i < 2; ++i) {
            const auto& [channel, threads, capacity, traced] = settings[next++ % settings.size()];
            CAPTURE(name(channel), threads, capacity);
            const Outcome outcome =
                run_case(one, {.threads = threads, .channel = channel, .channel_capacity = capacity}, traced);
            CHECK(same(outcome.report, reference.report));
            if (traced)
                CHECK(outcome.trace == reference.trace);
        }
    });
}

// A machine that is watched, or has queues, does what a script says node by node, in the words of Node::send and
// Node::receive; others run it in loops over nodes.
TEST_CASE("nodes that are served in groups do the same as nodes served one by one", "[algorithms][slow]")
{
    constexpr std::array<std::size_t, 7> sizes{3, 4, 8, 16, 32, 64, 128};  // loops know some of them
    std::size_t next = 0;
    for_each_unit_case(smaller(5U, 4U, 3U), 5, [&](Case one) {
        if (!is_matrix(one.problem.collective))
            one.problem.bytes = sizes[next++ % sizes.size()];
        INFO(words(one));
        const Report one_by_one = run_case(one, {.threads = 2}, true).report;
        for (const unsigned threads : {1U, 2U})
            CHECK(same(run_case(one, {.threads = threads, .watch_lent_bytes = false}, false).report, one_by_one));
    });
}

TEST_CASE("every algorithm's trace passes the judge", "[algorithms][slow]")
{
    for_each_unit_case(smaller(4U, 3U), 5, [&](const Case& one) {
        INFO(words(one));
        const Outcome outcome = run_case(one, {.threads = 2}, true);
        CHECK(outcome.trace.size() == outcome.report.counts.transmissions);
        const TraceQuestion question{one.topology, one.algorithm.ports, one.problem, {}, one.algorithm.redundant};
        CHECK(judged(question, joined(outcome.trace)) == "");
    });
}

TEST_CASE("a trace with one line dropped or doubled is rejected", "[algorithms][negative][long]")
{
    const std::size_t most_lines = smaller(24U, 6U, 3U);  // of one trace, from its beginning to its end
    for_each_unit_case(smaller(3U, 2U), 5, [&](const Case& one) {
        if (one.algorithm.redundant)
            return;  // a copy may be dropped
        if (is_scan(one.problem.collective) &&
            (one.algorithm.name.starts_with("gather-and-combine") || one.algorithm.name.starts_with("segments")))
            return;  // nodes get sums, too, which they do not need
        if (one.algorithm.name.starts_with("dissemination"))
            return;  // what a dropped signal tells may come with a later one, too
        if (one.problem.packets > 2 && one.problem.collective != Collective::all_reduce)
            return;
        INFO(words(one));
        const std::vector<std::string> trace = run_case(one, {.threads = 1}, true).trace;
        for (std::size_t line = 0; line < trace.size(); line += 1 + trace.size() / most_lines) {
            std::vector<std::string> dropped = trace;
            dropped.erase(dropped.begin() + static_cast<std::ptrdiff_t>(line));
            CHECK(judged(one.topology, one.algorithm.ports, one.problem, joined(dropped)) != "");
            std::vector<std::string> doubled = trace;
            doubled.insert(doubled.begin() + static_cast<std::ptrdiff_t>(line), trace[line]);
            CHECK_THAT(judged(one.topology, one.algorithm.ports, one.problem, joined(doubled)),
                       Catch::Contains(fmt::format("line {}", line + 2)));
        }
    });
}

namespace {

// The first one of some networks and numbers of packets that the algorithm can do.
std::optional<Case> small_reduction(const Entry& algorithm, Operation operation, ElementType type)
{
    for (const char* const network : {"hypercube:3", "hypercube:5", "mesh:2x4", "ring:5", "complete:7"}) {
        const Topology topology = Topology::parse(network);
        for (const std::size_t packets : {std::size_t{2}, std::size_t{topology.nodes()}}) {
            const Problem problem{algorithm.collective, 2 * size_of(type), packets, 0, operation, type};
            if (obstacle_of(algorithm, topology, algorithm.ports, problem).empty())
                return Case{algorithm, topology, problem};
        }
    }
    return std::nullopt;
}

}  // namespace

TEST_CASE("every algorithm adds up every type with every operation", "[algorithms][slow]")
{
    Sample sample;
    for (const Entry& algorithm : catalogue()) {
        if (!is_reduction(algorithm.collective) || algorithm.link != LinkKind::unit)
            continue;
        for (const Operation operation : all_operations) {
            for (const ElementType type : all_element_types) {
                const Problem asked{algorithm.collective, 0, 1, 0, operation, type};
                if (!error_of([&] { validate(asked, Topology::hypercube(1)); }).empty() || !sample.takes_next())
                    continue;
                const std::optional<Case> one = small_reduction(algorithm, operation, type);
                INFO(algorithm.name);
                REQUIRE(one);
                INFO(words(*one) << " " << name(operation) << " " << name(type));
                CHECK(run_case(*one, {.threads = 2}, false).report.verified);
            }
        }
    }
}

TEST_CASE("auto takes the algorithm with the fewest steps", "[algorithms][long]")
{
    constexpr std::uint64_t most_work = 30'000'000;  // longer plans need not be tried
    for (const Topology& topology : networks(8)) {
        const std::size_t d = topology.dimension();
        for (const Collective collective : all_collectives) {
            if (is_point_to_point(collective) || is_matrix(collective))
                continue;  // one algorithm for each port model
            for (const PortModel ports : {PortModel::all, PortModel::one}) {
                for (const std::size_t packets : {std::size_t{1}, d + 1, std::size_t{topology.nodes()}}) {
                    const Problem problem{collective, 1, packets};
                    const std::uint64_t steps = find_algorithm(topology, ports, problem).cost(topology, problem).steps;
                    for (const Entry& algorithm : catalogue())
                        if (algorithm.collective == collective && algorithm.link == LinkKind::unit &&
                            algorithm.automatic && obstacle_of(algorithm, topology, ports, problem).empty() &&
                            algorithm.planning_work(topology, problem) <= most_work)
                            CHECK(steps <= algorithm.cost(topology, problem).steps);
                }
            }
        }
    }
}

TEST_CASE("an algorithm that cannot do what is asked says why", "[algorithms][negative]")
{
    const Topology cube = Topology::hypercube(4);
    const Topology mesh = Topology::parse("mesh:2x3");
    for (const auto& [topology, collective] :
         {std::pair{cube, Collective::broadcast}, std::pair{mesh, Collective::scatter}}) {
        std::string expected =
            fmt::format("algorithm: {} has no algorithm 'magic': expected one of auto", name(collective));
        for (const Entry& algorithm : catalogue())
            if (algorithm.collective == collective && algorithm.link == LinkKind::unit &&
                contains(algorithm.networks, topology))
                expected += fmt::format(", {}", algorithm.name);
        CHECK_THAT(expected, Catch::Contains(topology == cube ? ", pipelined, " : ", unrolled-flow, "));
        CHECK_THROWS_WITH(find_algorithm(topology, PortModel::all, {collective}, "magic"), expected);
    }
    CHECK_THROWS_WITH(find_algorithm(mesh, PortModel::all, {Collective::scatter}, "balanced-tree"),
                      "algorithm: scatter by balanced-tree is not possible here: it is for hypercubes");
    CHECK_THROWS_WITH(find_algorithm(cube, PortModel::one, {Collective::all_to_all}, "optimal"),
                      "algorithm: all-to-all by optimal is not possible here: it uses all ports of a node at once");
    CHECK_THROWS_WITH(find_algorithm(cube, PortModel::all, {Collective::all_reduce, 1, 16}, "two-centre"),
                      Catch::Contains("(N-1) mod d = 1"));
    CHECK_THROWS_WITH(find_algorithm(cube, PortModel::all, {Collective::broadcast, 1, 2}, "recursive-doubling"),
                      Catch::Contains("it takes one packet"));
}

TEST_CASE("the catalogue's names and aliases are unique within a collective, and every entry says what it is",
          "[algorithms]")
{
    std::set<std::tuple<Collective, LinkKind, std::string_view>> seen;
    for (const Entry& algorithm : catalogue()) {
        CHECK(seen.insert({algorithm.collective, algorithm.link, algorithm.name}).second);
        for (const std::string_view alias : algorithm.aliases)
            CHECK(seen.insert({algorithm.collective, algorithm.link, alias}).second);
        CHECK_FALSE(algorithm.paper.empty());
        CHECK_FALSE(algorithm.summary.empty());
    }
    for (const Collective collective : all_collectives)
        CHECK(std::ranges::count(catalogue(), collective, &Entry::collective) >= 1);
}
