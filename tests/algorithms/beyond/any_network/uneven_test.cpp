// Messages of different lengths: every collective that has them, run on real bytes, against the bounds, and judged.

#include "algorithms/beyond/any_network/priced_route_plan.hpp"
#include "algorithms/beyond/any_network/priced_routes.hpp"
#include "tests/support/any_networks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/drawn_networks.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/sizes.hpp"
#include "tests/support/trace_line.hpp"

#include <dcube/dcube.hpp>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace dcube;
using test_support::error_of;
using test_support::smaller;

namespace {

constexpr Collective of_counts[] = {Collective::scatter, Collective::gather, Collective::all_gather,
                                    Collective::reduce_scatter, Collective::all_to_all};

Problem by_law(Collective collective, std::string_view law, const Topology& topology, std::uint64_t seed)
{
    Problem problem{.collective = collective, .bytes = 4, .root = topology.member(topology.members() - 1)};
    problem.type = ElementType::int32;
    problem.counts = counts_by_law(law, collective, topology, seed);
    return problem;
}

struct JudgedRun {
    Report report;
    std::string verdict;  // empty if the judge accepts the trace
};

JudgedRun run_and_judge(const Topology& topology, const Problem& problem, PortModel ports,
                        const std::string& algorithm = "auto", unsigned threads = 1)
{
    Machine machine(topology, {.ports = ports, .threads = threads, .watch_lent_bytes = true});
    std::string trace;
    CallOptions call;
    call.algorithm = algorithm;
    call.run.trace = [&](const Transmission& one) { trace += test_support::trace_line(one); };
    JudgedRun both;
    both.report = run_verified(machine, problem, {}, call);
    both.verdict = error_of([&] {
        std::istringstream lines(trace);
        const Verdict verdict = judge_trace(lines, topology, ports, problem);
        CHECK(verdict.transmissions == both.report.counts.transmissions);
    });
    return both;
}

double mean_ratio(const Topology& topology, std::string_view law, std::uint64_t seeds)
{
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const Problem problem = by_law(Collective::all_to_all, law, topology, seed);
        const Entry& entry = find_algorithm(topology, PortModel::all, problem);
        const auto bound = static_cast<double>(steps_bound(topology, PortModel::all, problem).value);
        sum += static_cast<double>(entry.cost(topology, problem).steps) / bound;
    }
    return sum / static_cast<double>(seeds);
}

}  // namespace

TEST_CASE("uneven messages: every byte of every collective arrives, on all ports and on one", "[uneven]")
{
    for (const char* const network : {"hypercube:1", "hypercube:3", "ring:5", "torus:3x3", "mesh:2x3", "complete:5",
                                      "petersen", "hypercube:3 without 5", "ring:4*path:3"})
        for (const Collective collective : of_counts)
            for (const char* const law : {"zipf:1:2", "sparse:1/4:2", "poisson:1"})
                for (const PortModel ports : {PortModel::all, PortModel::one}) {
                    const Topology topology = Topology::parse(network);
                    CAPTURE(network, name(collective), law, name(ports));
                    const Problem problem = by_law(collective, law, topology, 3);
                    const JudgedRun one = run_and_judge(topology, problem, ports);
                    CHECK(one.verdict.empty());
                    CHECK(one.report.verified);
                    CHECK(one.report.counts.steps >= steps_bound(topology, ports, problem).value);
                    CHECK(one.report.counts.transmissions >= transmissions_bound(topology, problem).value);
                }
}

TEST_CASE("uneven messages: threads change nothing", "[uneven]")
{
    const Topology torus = Topology::parse("torus:4x4");
    for (const Collective collective : of_counts) {
        const Problem problem = by_law(collective, "zipf:1:3", torus, 1);
        CAPTURE(name(collective));
        CHECK(run_and_judge(torus, problem, PortModel::all, "auto", 1).report.result_digest ==
              run_and_judge(torus, problem, PortModel::all, "auto", 4).report.result_digest);
    }
}

TEST_CASE("uneven messages: a graph that is recognised, with other node numbers", "[uneven]")
{
    const Topology cube = dcube::test::any_network("cube6");
    for (const Collective collective : of_counts) {
        CAPTURE(name(collective));
        CHECK(run_and_judge(cube, by_law(collective, "poisson:1", cube, 2), PortModel::all).verdict.empty());
    }
}

TEST_CASE("uneven messages: scatter and gather take the fewest steps there can be", "[uneven]")
{
    for (const char* const network :
         {"hypercube:2", "hypercube:3", "hypercube:4", "torus:3x3", "torus:4x4", "ring:6", "mesh:3x4", "petersen"})
        for (const Collective collective : {Collective::scatter, Collective::gather})
            for (const char* const law : {"zipf:1:4", "sparse:1/3:3", "poisson:3"})
                for (std::uint64_t seed = 1; seed <= smaller(10U, 2U); ++seed)
                    for (const PortModel ports : {PortModel::all, PortModel::one}) {
                        const Topology topology = Topology::parse(network);
                        const Problem problem = by_law(collective, law, topology, seed);
                        CAPTURE(network, name(collective), law, seed, name(ports));
                        CHECK(find_algorithm(topology, ports, problem).cost(topology, problem).steps ==
                              steps_bound(topology, ports, problem).value);
                    }
}

TEST_CASE("uneven messages: in place, where as much goes from i to j as from j to i", "[uneven][in-place]")
{
    for (const char* const network : {"torus:3x3", "hypercube:3", "petersen", "hypercube:3 without 5"})
        for (const Collective collective : {Collective::all_to_all, Collective::all_gather, Collective::reduce_scatter})
            for (const PortModel ports : {PortModel::all, PortModel::one}) {
                const Topology topology = Topology::parse(network);
                Problem problem = by_law(collective, "poisson:2", topology, 4);
                const std::size_t nodes = topology.nodes();
                if (collective == Collective::all_to_all)
                    for (std::size_t i = 0; i < nodes; ++i)
                        for (std::size_t j = 0; j < i; ++j)
                            problem.counts[i * nodes + j] = problem.counts[j * nodes + i];
                CAPTURE(network, name(collective), name(ports));
                const std::string apart = run_and_judge(topology, problem, ports).report.result_digest;
                problem.in_place = true;
                const JudgedRun here = run_and_judge(topology, problem, ports);
                CHECK(here.verdict.empty());
                CHECK(here.report.result_digest == apart);
            }
}

TEST_CASE("uneven messages: what a node has for itself is copied, and does not travel", "[uneven]")
{
    const Topology ring = Topology::parse("ring:4");
    Problem problem{.collective = Collective::all_to_all, .bytes = 4};
    problem.counts.resize(16);
    for (std::size_t node = 0; node < 4; ++node)
        problem.counts[node * 5] = static_cast<std::uint32_t>(node + 1);
    const JudgedRun one = run_and_judge(ring, problem, PortModel::all);
    CHECK(one.report.counts.steps == 0);
    CHECK(one.report.counts.transmissions == 0);
    CHECK(one.report.verified);
}

TEST_CASE("uneven messages: on links that take time packets are joined where start-ups are dear",
          "[uneven][link-bound]")
{
    const Topology torus = Topology::parse("torus:3x3");
    for (const Collective collective : of_counts) {
        Problem problem = by_law(collective, "poisson:2", torus, 1);
        problem.link = {.kind = LinkKind::link_bound, .tau = {1, 1}, .beta = {10, 1}};
        Machine machine(torus, {.link = problem.link});
        const Report report = run_verified(machine, problem);
        CAPTURE(name(collective));
        CHECK(report.verified);
        REQUIRE(report.virtual_time_ns);
        CHECK(report.time_lower_bound_ns->to_double() <= report.virtual_time_ns->to_double());
        CHECK(report.predicted_time_ns == report.virtual_time_ns);

        problem.link.beta = {1000, 1};
        Machine slow(torus, {.link = problem.link});
        const Report joined = run_verified(slow, problem);
        CHECK(joined.verified);
        CHECK(joined.predicted_time_ns == joined.virtual_time_ns);
        REQUIRE(joined.cut_packets);
        CHECK(*joined.cut_packets < most_packets(problem));
        CHECK(joined.time_lower_bound_ns->to_double() <= joined.virtual_time_ns->to_double());
    }
}

TEST_CASE("uneven messages: the calls take data as they lie", "[uneven][calls]")
{
    Machine machine(Topology::parse("ring:3"));
    const std::vector<std::uint32_t> counts{0, 2, 1, 3, 0, 0, 1, 1, 0};
    std::vector<std::int32_t> send(8);
    std::iota(send.begin(), send.end(), 0);
    std::vector<std::int32_t> receive(8);
    const Report report = all_to_all_v(machine, std::as_bytes(std::span(send)),
                                       std::as_writable_bytes(std::span(receive)), counts, sizeof(std::int32_t));
    CHECK(receive == std::vector<std::int32_t>{3, 4, 5, 6, 0, 1, 7, 2});
    CHECK(report.counts.steps == 2);
    CHECK(report.counts.transmissions == 9);  // one of the three packets from node 1 to 0 makes a detour

    const std::vector<std::uint32_t> each{1, 0, 2};
    const std::vector<std::int32_t> parts{10, 20, 21};
    std::vector<std::int32_t> all(9);
    all_gather_v(machine, std::as_bytes(std::span(parts)), std::as_writable_bytes(std::span(all)), each,
                 sizeof(std::int32_t));
    CHECK(all == std::vector<std::int32_t>{10, 20, 21, 10, 20, 21, 10, 20, 21});
    std::vector<std::int32_t> sums(3);
    reduce_scatter_v(machine, std::as_bytes(std::span(all)), std::as_writable_bytes(std::span(sums)), each,
                     sizeof(std::int32_t), Operation::sum, ElementType::int32);
    CHECK(sums == std::vector<std::int32_t>{30, 60, 63});
    std::vector<std::int32_t> there(3);
    gather_v(machine, std::as_bytes(std::span(parts)), std::as_writable_bytes(std::span(there)), each, 1,
             sizeof(std::int32_t));
    CHECK(there == parts);
    std::vector<std::int32_t> back(3);
    scatter_v(machine, std::as_bytes(std::span(there)), std::as_writable_bytes(std::span(back)), each, 1,
              sizeof(std::int32_t));
    CHECK(back == parts);
}

// The specification's targets; measured means are 1.000 to 1.021 on cubes and 1.006 at most elsewhere.
TEST_CASE("uneven all-to-all: steps are near the bound, on the mean of 20 seeds", "[uneven][long]")
{
    struct Row {
        std::string_view network;
        double most;
    };
    for (const auto& [network, most] :
         {Row{"hypercube:3", 1.03}, Row{"hypercube:4", 1.03}, Row{"hypercube:5", 1.03}, Row{"torus:6x6", 1.10}})
        for (const char* const law : {"zipf:1:2", "sparse:1/8:2", "poisson:2"}) {
            CAPTURE(network, law);
            CHECK(mean_ratio(Topology::parse(network), law, smaller(20U, 6U, 1U)) <= most);
        }
    for (const char* const law : {"zipf:1", "sparse:1/8", "poisson:1"}) {
        CAPTURE(law);
        CHECK(mean_ratio(Topology::hypercube(6), law, smaller(20U, 6U, 1U)) <= 1.03);
        CHECK(mean_ratio(Topology::parse("torus:8x8"), law, smaller(20U, 6U, 1U)) <= 1.10);
    }
}

TEST_CASE("uneven all-to-all: steps are near the bound on drawn networks", "[uneven][long]")
{
    double sum = 0;
    std::size_t networks = 0;
    for (std::size_t which = 0; which < 60; which += smaller(5U, 30U)) {
        const Topology network = dcube::test::drawn_network(which);
        if (network.nodes() > 64)
            continue;
        sum += mean_ratio(network, "zipf:1", 1);
        ++networks;
    }
    CHECK(sum <= 1.10 * static_cast<double>(networks));
}

namespace {

// As many packets more in every message between two nodes.
Problem raised(Problem problem, std::uint32_t by)
{
    const auto nodes = static_cast<std::size_t>(std::lround(std::sqrt(problem.counts.size())));
    for (std::size_t i = 0; i < problem.counts.size(); ++i)
        problem.counts[i] += i % (nodes + 1) == 0 ? 0 : by;
    return problem;
}

}  // namespace

TEST_CASE("uneven all-to-all: what all messages of many packets have goes in front, by staircase", "[uneven][long]")
{
    const Topology cube = Topology::hypercube(7);
    Problem even{.collective = Collective::all_to_all, .bytes = 1};
    even.counts.resize(std::size_t{cube.nodes()} * cube.nodes());
    const auto alone = detail::priced_route_plan(cube, raised(even, 2), PortModel::all);
    CHECK(alone->in_front == 2);
    CHECK(alone->schedule.steps == 2 * 64);

    const Problem problem = raised(by_law(Collective::all_to_all, "poisson:1", cube, 1), 2);
    CHECK(detail::priced_route_plan(cube, problem, PortModel::all)->in_front == 2);
    const JudgedRun one = run_and_judge(cube, problem, PortModel::all);
    CHECK(one.verdict.empty());
    CHECK(one.report.verified);
    CHECK(one.report.counts.steps == detail::priced_route_plan(cube, problem, PortModel::all)->schedule.steps);
    CHECK(one.report.counts.steps <= steps_bound(cube, PortModel::all, problem).value + 2);

    // A busy node needs its links from the beginning: steps are its bound, and less than those of both parts.
    const Problem hot = raised(by_law(Collective::all_to_all, "hot:3:40", cube, 1), 1);
    const auto whole = detail::priced_route_plan(cube, hot, PortModel::all);
    CHECK(whole->in_front == 0);
    CHECK(whole->schedule.steps == steps_bound(cube, PortModel::all, hot).value);

    // Few packets are planned together, and with one port the staircase would take longer.
    const Topology small = Topology::hypercube(4);
    const Problem few = raised(by_law(Collective::all_to_all, "poisson:1", small, 1), 2);
    CHECK(detail::priced_route_plan(small, few, PortModel::all)->in_front == 0);
    CHECK(detail::priced_route_plan(cube, problem, PortModel::one)->in_front == 0);
}

TEST_CASE("uneven all-to-all: routes on shortest paths have even loads", "[uneven]")
{
    for (const auto& [network, law] : {std::pair("hypercube:6", "poisson:1"), std::pair("torus:6x6", "poisson:2"),
                                       std::pair("hypercube:5", "zipf:1:2")})
        for (const PortModel ports : {PortModel::all, PortModel::one}) {
            const Topology topology = Topology::parse(network);
            CAPTURE(network, law, name(ports));
            const Problem problem = by_law(Collective::all_to_all, law, topology, 1);
            const detail::Arcs arcs(topology);
            std::vector<detail::Message> messages;
            for (NodeId from = 0; from < topology.nodes(); ++from)
                for (NodeId to = 0; to < topology.nodes(); ++to)
                    if (from != to && problem.counts[from * std::size_t{topology.nodes()} + to] > 0)
                        messages.push_back({from, to, problem.counts[from * std::size_t{topology.nodes()} + to]});
            const std::uint64_t bound = steps_bound(topology, ports, problem).value;
            const detail::Routes routes = detail::shortest_priced_routes(arcs, ports, messages, bound);

            std::vector<std::uint64_t> packets(messages.size());
            detail::RouteLoad load(arcs, ports);
            for (const detail::Route& route : routes.routes) {
                const detail::Message& message = messages[route.message];
                ++packets[route.message];
                NodeId at = message.from;
                for (const detail::ArcId arc : route.arcs) {
                    CHECK(arcs.from(arc) == at);
                    at = arcs.to(arc);
                }
                CHECK(at == message.to);
                CHECK(route.arcs.size() == topology.distance(message.from, message.to));
                load.add(route.arcs);
            }
            for (std::size_t i = 0; i < messages.size(); ++i)
                CHECK(packets[i] == messages[i].packets);
            CHECK(load.top() == routes.top);
            CHECK(static_cast<double>(routes.top) <= 1.05 * static_cast<double>(bound));
        }
}

TEST_CASE("uneven all-to-all: large cubes, to what a plan can hold", "[uneven][long]")
{
    const Topology cube = Topology::hypercube(8);
    for (const char* const law : {"zipf:1", "sparse:1/8", "poisson:1"}) {
        CAPTURE(law);
        CHECK(mean_ratio(cube, law, smaller(5U, 1U, 1U)) <= 1.01);
    }
    const Topology large = Topology::hypercube(10);
    const auto obstacle = [&](std::string_view law) {
        const Problem problem = by_law(Collective::all_to_all, law, large, 1);
        return obstacle_of(find_algorithm(cube, PortModel::all, by_law(Collective::all_to_all, "block:2", cube, 1)),
                           large, PortModel::all, problem);
    };
    CHECK(obstacle("poisson:1").empty());
    CHECK(obstacle("poisson:2").empty());
    CHECK_THAT(obstacle("poisson:4"), Catch::StartsWith("it would have to plan at least 2") &&
                                          Catch::EndsWith(" hops: at most 16777216 are allowed"));
}

TEST_CASE("uneven messages: algorithms for one length refuse them", "[uneven][negative]")
{
    const Topology cube = Topology::hypercube(3);
    const Problem problem = by_law(Collective::all_to_all, "poisson:2", cube, 1);
    CHECK(error_of([&] {
              find_algorithm(cube, PortModel::all, problem, "staircase");
          }).ends_with("all its messages have the same length"));
    CHECK(find_algorithm(cube, PortModel::all, problem).name == "priced-routes");
}

TEST_CASE("uneven messages: the judge refuses a packet beyond its message, and a missing one", "[uneven][negative]")
{
    const Topology ring = Topology::parse("ring:3");
    Problem problem{.collective = Collective::all_to_all, .bytes = 4};
    problem.counts = {0, 2, 0, 0, 0, 0, 0, 0, 0};
    const auto verdict = [&](const std::string& lines) {
        return error_of([&] {
            std::istringstream in(lines);
            judge_trace(in, ring, PortModel::all, problem);
        });
    };
    const std::string first =
        R"({"step":1,"from":0,"to":1,"bytes":4,"pieces":[{"origin":0,"target":1,"offset":0,"length":4}]})"
        "\n";
    const std::string second =
        R"({"step":2,"from":0,"to":1,"bytes":4,"pieces":[{"origin":0,"target":1,"offset":4,"length":4}]})"
        "\n";
    const std::string third =
        R"({"step":2,"from":0,"to":1,"bytes":4,"pieces":[{"origin":0,"target":1,"offset":8,"length":4}]})"
        "\n";
    const std::string other =
        R"({"step":1,"from":1,"to":0,"bytes":4,"pieces":[{"origin":1,"target":0,"offset":0,"length":4}]})"
        "\n";
    CHECK(verdict(first + second).empty());
    CHECK(verdict(first) == "node 1 never received byte 4 of the message from node 0 to node 1");
    CHECK(verdict(first + third) == "line 2: a piece of 4 bytes at offset 8 does not lie within a message, which has 8 "
                                    "bytes");
    CHECK(verdict(other) == "line 1: a piece of 4 bytes at offset 0 does not lie within a message, which has 0 bytes");
}
