// The textbook's times on one port (Grama et al. 2003, chapter 4, and for broadcast and scatter on rings and tori,
// where packets are stored and forwarded, Kumar et al. 1994, chapter 3): each by a run, in both clocks and both
// duplexes.

#include "tests/support/catch.hpp"
#include "tests/support/link_bound.hpp"
#include "tests/support/schedule_trace.hpp"
#include "tests/support/sizes.hpp"
#include "tests/support/trace_line.hpp"

#include <dcube/dcube.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace dcube;
using namespace test_support;

namespace {

struct OnePortRun {
    Report report;
    std::string verdict;     // of the judge on its trace; empty if it accepts it
    int most_in_a_step = 0;  // packets that a node sends and receives in a step
};

OnePortRun run_on_one_port(const Topology& topology, Problem problem, const std::string& algorithm,
                           unsigned threads = 2)
{
    problem.link = topology.links(problem.link, PortModel::one);
    MachineOptions options{.ports = PortModel::one, .link = problem.link, .threads = threads, .watch_lent_bytes = true};
    Machine machine(topology, options);
    CallOptions call;
    call.algorithm = algorithm;
    std::string trace;
    std::map<std::pair<Step, NodeId>, int> uses;
    OnePortRun run;
    call.run.trace = [&](const Transmission& one) {
        trace += trace_line(one, problem.link);
        for (const NodeId node : {one.from, one.to})
            run.most_in_a_step = std::max(run.most_in_a_step, ++uses[{one.step, node}]);
    };
    run.report = run_verified(machine, problem, {}, call);
    run.verdict = judged(topology, PortModel::one, problem, trace);
    return run;
}

constexpr std::int64_t start_up = 50;
constexpr std::int64_t per_byte = 3;

LinkModel links_of(LinkClock clock, Duplex duplex)
{
    LinkModel link = link_bound(per_byte, start_up);
    link.clock = clock;
    link.duplex = duplex;
    return link;
}

// The formulas as the books have them: a ring of p nodes, a torus of r x r, a hypercube of p = 2^d; w = t_w m.
struct RowOfTheTable {
    Collective collective;
    const char* algorithm;
    std::int64_t (*ring)(std::int64_t p, std::int64_t w);
    std::int64_t (*torus)(std::int64_t r, std::int64_t w);
    std::int64_t (*hypercube)(std::int64_t d, std::int64_t w);
    int on_half_duplex;  // times as long, where rings have an even number of nodes
};

constexpr std::int64_t ts = start_up;

std::int64_t half_up(std::int64_t n)
{
    return (n + 1) / 2;
}

constexpr auto bundles_on_torus = [](std::int64_t r, std::int64_t w) { return 2 * ts * (r - 1) + w * (r * r - 1); };
constexpr auto bundles_on_cube = [](std::int64_t d, std::int64_t w) { return ts * d + w * ((1 << d) - 1); };
constexpr auto packets_on_ring = [](std::int64_t p, std::int64_t w) { return (ts + w) * (p - 1); };
constexpr auto broadcast_on_ring = [](std::int64_t p, std::int64_t w) { return (ts + w) * half_up(p); };
constexpr auto broadcast_on_torus = [](std::int64_t r, std::int64_t w) { return 2 * (ts + w) * half_up(r); };
constexpr auto broadcast_on_cube = [](std::int64_t d, std::int64_t w) { return (ts + w) * d; };

constexpr RowOfTheTable rows_of_the_table[] = {
    {Collective::broadcast, "rings-in-turn", broadcast_on_ring, broadcast_on_torus, broadcast_on_cube, 1},
    {Collective::reduce, "rings-in-turn", broadcast_on_ring, broadcast_on_torus, broadcast_on_cube, 1},
    {Collective::scatter, "rings-in-turn", packets_on_ring, bundles_on_torus, bundles_on_cube, 1},
    {Collective::gather, "rings-in-turn", packets_on_ring, bundles_on_torus, bundles_on_cube, 1},
    {Collective::all_gather, "rings-in-turn", packets_on_ring, bundles_on_torus, bundles_on_cube, 2},
    {Collective::reduce_scatter, "rings-in-turn", packets_on_ring, bundles_on_torus, bundles_on_cube, 2},
    {Collective::all_to_all, "rings-in-turn",
     [](std::int64_t p, std::int64_t w) { return ts * (p - 1) + w * p * (p - 1) / 2; },
     [](std::int64_t r, std::int64_t w) { return (2 * ts + w * r * r) * (r - 1); },
     [](std::int64_t d, std::int64_t w) { return d * (ts + w * (1 << d) / 2); }, 2},
    {Collective::all_to_all, "both-ways-in-turn",  // dcube's: fewer bytes
     [](std::int64_t p, std::int64_t w) { return ts * (p - 1) + w * (p * p / 4); },
     [](std::int64_t r, std::int64_t w) { return 2 * (ts * (r - 1) + w * r * (r * r / 4)); },
     [](std::int64_t d, std::int64_t w) { return d * (ts + w * (1 << d) / 2); }, 2},
};

struct NetworkOfTheTable {
    std::string name;
    bool even;
    std::int64_t (*time)(const RowOfTheTable& row, std::int64_t size, std::int64_t w);
    std::int64_t size;
};

std::vector<NetworkOfTheTable> networks_of_the_table()
{
    const auto on_ring = [](const RowOfTheTable& row, std::int64_t p, std::int64_t w) { return row.ring(p, w); };
    const auto on_torus = [](const RowOfTheTable& row, std::int64_t r, std::int64_t w) { return row.torus(r, w); };
    const auto on_cube = [](const RowOfTheTable& row, std::int64_t d, std::int64_t w) { return row.hypercube(d, w); };
    std::vector<NetworkOfTheTable> all;
    for (std::int64_t p = 3; p <= smaller(9, 6); ++p)
        all.push_back({"ring:" + std::to_string(p), p % 2 == 0, on_ring, p});
    for (std::int64_t r = 3; r <= smaller(5, 4); ++r)
        all.push_back({"torus:" + std::to_string(r) + "x" + std::to_string(r), r % 2 == 0, on_torus, r});
    for (std::int64_t d = 1; d <= smaller(5, 4); ++d)
        all.push_back({"hypercube:" + std::to_string(d), true, on_cube, d});
    return all;
}

}  // namespace

TEST_CASE("one port: the textbook's table, row by row", "[link-bound][ports][long]")
{
    for (const NetworkOfTheTable& network : networks_of_the_table()) {
        const Topology topology = Topology::parse(network.name);
        for (const RowOfTheTable& row : rows_of_the_table)
            for (const std::size_t m : {1U, 7U, 100U})
                for (const LinkClock clock : {LinkClock::data_driven, LinkClock::lockstep})
                    for (const Duplex duplex : {Duplex::full, Duplex::half}) {
                        CAPTURE(network.name, name(row.collective), row.algorithm, m, name(clock), name(duplex));
                        Problem problem{.collective = row.collective, .bytes = m};
                        problem.root = has_root(row.collective) ? topology.nodes() - 1 : 0;
                        problem.link = links_of(clock, duplex);
                        const auto [report, verdict, most] = run_on_one_port(topology, problem, row.algorithm);
                        CHECK(report.verified);
                        CHECK(verdict == "");
                        CHECK(report.predicted_time_ns == report.virtual_time_ns);
                        CHECK(report.time_lower_bound_ns.value() <= *report.virtual_time_ns);
                        CHECK(most <= (duplex == Duplex::full ? 2 : 1));
                        const std::int64_t book =
                            network.time(row, network.size, per_byte * static_cast<std::int64_t>(m));
                        const std::int64_t slower = duplex == Duplex::half ? row.on_half_duplex : 1;
                        if (slower == 1 || network.even)
                            CHECK(report.virtual_time_ns == Rational{slower * book, 1});
                        else  // a ring of odd length has no two halves that send in turn
                            CHECK(*report.virtual_time_ns > Rational{slower * book, 1});
                    }
    }
}

TEST_CASE("one port: broadcast and all-reduce by shares take twice an all-gather of shares", "[link-bound][ports]")
{
    for (const char* const network : {"ring:4", "ring:5", "torus:3x4", "hypercube:4"}) {
        const Topology topology = Topology::parse(network);
        for (const Collective collective : {Collective::broadcast, Collective::all_reduce})
            for (const std::size_t share : {1U, 6U})
                for (const Duplex duplex : {Duplex::full, Duplex::half}) {
                    CAPTURE(network, name(collective), share, name(duplex));
                    Problem problem{.collective = collective, .bytes = share * topology.nodes()};
                    problem.link = links_of(LinkClock::data_driven, duplex);
                    const auto [report, verdict, most] = run_on_one_port(topology, problem, "shares-in-turn");
                    CHECK(report.verified);
                    CHECK(verdict == "");
                    CHECK(report.predicted_time_ns == report.virtual_time_ns);
                    CHECK(most <= (duplex == Duplex::full ? 2 : 1));
                    Problem shares{.collective = Collective::all_gather, .bytes = share, .link = problem.link};
                    const Rational once = *run_on_one_port(topology, shares, "rings-in-turn").report.virtual_time_ns;
                    if (duplex == Duplex::full)
                        CHECK(report.virtual_time_ns == Rational{2 * once.numerator, once.denominator});
                }
    }
    Problem few{
        .collective = Collective::broadcast, .bytes = 7, .link = links_of(LinkClock::data_driven, Duplex::full)};
    CHECK_THROWS_WITH(find_algorithm(Topology::hypercube(3), PortModel::one, few, "shares-in-turn"),
                      Catch::Contains("fewer bytes, or elements, than there are nodes"));
}

TEST_CASE("one port: products of rings of any lengths, and uneven shares", "[link-bound][ports][long]")
{
    for (const char* const network : {"torus:3x4x5", "ring:6*complete:2", "complete:3*ring:4", "ring:7*ring:3"}) {
        const Topology topology = Topology::parse(network);
        for (const Entry& algorithm : catalogue()) {
            if (algorithm.name != "rings-in-turn" && algorithm.name != "shares-in-turn" &&
                algorithm.name != "both-ways-in-turn")
                continue;
            for (const Duplex duplex : {Duplex::full, Duplex::half}) {
                Problem problem{.collective = algorithm.collective, .bytes = topology.nodes() + std::size_t{5}};
                problem.root = has_root(algorithm.collective) ? topology.nodes() / 3 : 0;
                problem.link = links_of(LinkClock::data_driven, duplex);
                CAPTURE(network, name(algorithm.collective), algorithm.name, name(duplex));
                const auto [report, verdict, most] = run_on_one_port(topology, problem, std::string(algorithm.name));
                CHECK(report.verified);
                CHECK(verdict == "");
                CHECK(report.predicted_time_ns == report.virtual_time_ns);
                CHECK(report.counts.transmissions == algorithm.cost(topology, problem).transmissions);
                CHECK(report.counts.steps <= algorithm.cost(topology, problem).steps);
            }
        }
    }
}

TEST_CASE("one port: any entry for one port takes the time that is predicted, or at most that",
          "[link-bound][ports][long]")
{
    for (const char* const network : {"hypercube:3", "ring:5", "mesh:3x3", "complete:4", "petersen"}) {
        const Topology topology = Topology::parse(network);
        for (const Entry& algorithm : catalogue()) {
            if (algorithm.ports != PortModel::one || !contains(algorithm.networks, topology) ||
                is_matrix(algorithm.collective) || has_permutation(algorithm.collective))
                continue;
            for (const LinkClock clock : {LinkClock::data_driven, LinkClock::lockstep}) {
                Problem problem{.collective = algorithm.collective, .bytes = 24};
                problem.peer = has_peer(algorithm.collective) ? topology.nodes() - 1 : 0;
                problem.link = topology.links(links_of(clock, Duplex::full), PortModel::one);
                const std::string wanted =
                    (algorithm.link == LinkKind::unit ? "unit:" : "") + std::string(algorithm.name);
                CAPTURE(network, name(algorithm.collective), wanted, name(clock));
                if (!obstacle_of(algorithm, topology, PortModel::one, problem).empty())
                    continue;
                const auto [report, verdict, most] = run_on_one_port(topology, problem, wanted);
                CHECK(report.verified);
                CHECK(verdict == "");
                CHECK(most <= 2);
                CHECK(report.time_lower_bound_ns.value() <= *report.virtual_time_ns);
                const auto predicted = predicted_time(algorithm, topology, problem);
                if (predicted && predicted->exact)
                    CHECK(report.virtual_time_ns == predicted->ns);
                else if (predicted)
                    CHECK(*report.virtual_time_ns <= predicted->ns);
            }
        }
    }
}

TEST_CASE("one port: the best is chosen among those that keep to it", "[link-bound][ports]")
{
    const auto chosen = [](const char* network, Collective collective, PortModel ports, Duplex duplex) {
        const Topology topology = Topology::parse(network);
        Problem problem{.collective = collective, .bytes = 100};
        LinkModel link = link_bound(1, 1000);
        link.duplex = duplex;
        problem.link = topology.links(link, ports);
        return std::string(find_algorithm(topology, ports, problem).name);
    };
    CHECK(chosen("hypercube:4", Collective::all_gather, PortModel::one, Duplex::per_link) == "rings-in-turn");
    CHECK(chosen("torus:4x4", Collective::all_to_all, PortModel::one, Duplex::full) == "both-ways-in-turn");
    CHECK(chosen("torus:4x4", Collective::scatter, PortModel::one, Duplex::half) == "rings-in-turn");
    CHECK(chosen("hypercube:4", Collective::all_to_all, PortModel::all, Duplex::per_link) != "both-ways-in-turn");
    const Topology mesh = Topology::parse("mesh:3x3");
    Problem half{.collective = Collective::all_gather, .link = links_of(LinkClock::data_driven, Duplex::half)};
    CHECK_THROWS_WITH(find_algorithm(mesh, PortModel::one, half),
                      Catch::Contains("its nodes send and receive in the same step, which half duplex does not allow"));
}

TEST_CASE("one port: on complete graphs an exchange takes (p - 1)(t_s + t_w m)", "[link-bound][ports]")
{
    for (const unsigned p : {3U, 4U, 6U, 8U}) {
        CAPTURE(p);
        const Topology topology = Topology::product({Graph::complete(p)});
        Problem problem{
            .collective = Collective::all_to_all, .bytes = 10, .link = links_of(LinkClock::data_driven, Duplex::full)};
        const OnePortRun run = run_on_one_port(topology, problem, "auto");
        CHECK(run.verdict == "");
        CHECK(run.report.virtual_time_ns == Rational{(p - 1) * (start_up + 10 * per_byte), 1});
    }
}
