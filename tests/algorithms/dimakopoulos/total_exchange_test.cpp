// Total exchange on Cartesian products: the closed forms, the expected numbers, and every algorithm on real bytes.

#include "algorithms/dimakopoulos/edge_colouring.hpp"
#include "algorithms/dimakopoulos/factor_exchange.hpp"
#include "algorithms/dimakopoulos/product_exchange.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/exchange_check.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>

using namespace dcube;
using namespace dcube::detail;
using dcube::test::exchange_fault;
using dcube::test::random_product;
using test_support::smaller;

namespace {

Topology of(const Graph& graph)
{
    return Topology::product({graph});
}

// One factor's schedule is legal, complete, and as long as it is said to be.
void check_factor(const Graph& graph, PortModel ports, std::uint64_t steps)
{
    INFO(graph.name() << ", " << name(ports));
    CHECK(factor_exchange_steps(graph, ports) == steps);
    const auto schedule = factor_exchange(graph, ports);
    CHECK(schedule->steps == steps);
    CHECK(exchange_fault(of(graph), ports, *schedule) == "");
}

Report run_on(const Topology& topology, PortModel ports, const std::string& algorithm, std::size_t packets = 1,
              unsigned threads = 2)
{
    Machine machine(topology, {.ports = ports, .threads = threads});
    Trial trial;
    trial.measure_memcpy = false;
    CallOptions options;
    options.algorithm = algorithm;
    return run_verified(machine, {Collective::all_to_all, 3, packets}, trial, options);
}

const Algorithm& entry(std::string_view name)
{
    for (const Algorithm& algorithm : catalogue())
        if (algorithm.collective == Collective::all_to_all && algorithm.name == name &&
            algorithm.link == LinkKind::unit)
            return algorithm;
    throw std::logic_error("no such algorithm: " + std::string(name));
}

// The total exchange algorithms that are for this network.
std::vector<const Algorithm*> algorithms_for(const Topology& topology)
{
    std::vector<const Algorithm*> all;
    for (const Algorithm& algorithm : catalogue())
        if (algorithm.collective == Collective::all_to_all && algorithm.link == LinkKind::unit &&
            obstacle_of(algorithm, topology, algorithm.ports, {Collective::all_to_all, 1}).empty())
            all.push_back(&algorithm);
    return all;
}

struct Row {
    const char* network;
    unsigned factor_by_factor;            // A2
    std::optional<unsigned> bound;        // L5, rounded up, or the one that is stronger
    std::optional<unsigned> homogeneous;  // A3
    std::optional<unsigned> interleaved;
    std::optional<unsigned> colouring;
    std::optional<unsigned> greedy;
};

constexpr std::nullopt_t none = std::nullopt;

const Row rows[] = {
    {"hypercube:3", 12, 4, none, 4, 4, 5},
    {"hypercube:4", 32, 8, 8, 8, 8, 10},
    {"hypercube:5", 80, 16, none, 16, 16, 20},
    {"hypercube:8", 1024, 128, 128, 128, 128, 160},
    {"torus:3x4", 20, 6, none, 6, 6, 7},
    {"torus:4x6", 60, 18, none, 20, 18, 20},
    {"torus:5x5", 60, 15, 15, 15, 15, 18},
    {"torus:6x5", 81, 23, none, 25, 23, 27},
    {"torus:6x6", 108, 27, 30, 30, 27, 33},
    {"kary:3^3", 54, 9, none, 9, 9, 12},
    {"kary:3^4", 216, 27, 27, 27, 27, none},
    {"kary:4^3", 192, 32, none, 32, 32, 40},
    {"torus:5x4x3", 172, 36, none, 36, 36, 41},
    {"ghc:4x4", 24, 4, 4, 4, 4, 6},
    {"ghc:3x4x5", 133, 20, none, 20, 20, 25},
    {"complete:4*ring:5*complete:2", 98, 24, none, 24, 24, 28},
    {"mesh:3x3", 24, 6, 6, 6, none, 7},
    {"mesh:4x4", 56, 16, 16, 16, none, 18},
    {"mesh:3x5", 56, 18, none, 18, none, 19},
    {"mesh:3x3x3", 108, 18, none, 18, none, 23},
    {"mesh:3x4x5", 329, 72, none, 72, none, 78},
    {"path:4*ring:3", 29, 12, none, 12, none, 13},
    {"path:5*ring:7", 144, 42, none, 42, none, 45},
    {"star:4*ring:3", 234, 62, none, 63, none, none},
    // Until now by formula only.
    {"hypercube:10", 5120, 512, none, 512, 512, none},
    {"torus:16x16", 2048, 512, 512, 512, 512, none},
    {"ghc:8x8x8", 1344, 64, none, 64, 64, none},
    {"mesh:16x16", 4064, 1024, 1024, 1024, none, none},
};

// The algorithm takes so many steps by its closed form and on the machine, over shortest ways.
void check_run(const Topology& topology, std::string_view algorithm, unsigned steps)
{
    INFO(topology.name() << " by " << algorithm);
    const Algorithm& here = entry(algorithm);
    CHECK(here.cost(topology, {Collective::all_to_all, 3}).steps == steps);
    const Report report = run_on(topology, here.ports, std::string(algorithm));
    CHECK(report.counts.steps == steps);
    CHECK(report.counts.transmissions == topology.sum_of_statuses());
    CHECK(report.counts.steps >= report.steps_lower_bound);
}

// Every round is of one dimension's copies: which class has which round, told by the hops.
NodeId round_of(const Schedule& schedule, const Topology& topology, unsigned part, unsigned steps_a_round,
                NodeId target)
{
    for (const Hop& hop : schedule.hops)
        if (hop.packet.origin == 0 && hop.packet.target == target &&
            topology.digit(hop.from, part) != topology.digit(topology.neighbour(hop.from, hop.port), part))
            return (hop.step - 1) / steps_a_round;
    return ~NodeId{0};
}

}  // namespace

TEST_CASE("factor exchange: one port", "[total-exchange]")
{
    for (NodeId n = 2; n <= 32; ++n) {
        check_factor(Graph::path(n), PortModel::one, n == 2 ? 1 : (n * n - 1) / 2);
        check_factor(Graph::complete(n), PortModel::one, n - 1);
    }
    for (NodeId n = 3; n <= 40; ++n)
        check_factor(Graph::ring(n), PortModel::one, n * n / 4);
    const std::map<std::string, unsigned> cayley = {{"star:3", 9}, {"star:4", 62},           {"pancake:4", 60},
                                                    {"ccc:3", 74}, {"circulant:13,1,5", 20}, {"petersen", 15}};
    for (const auto& [text, steps] : cayley)
        check_factor(Topology::parse(text).factor(0), PortModel::one, steps);
    if (!test_support::sanitized) {
        check_factor(Graph::star(5), PortModel::one, 442);
        check_factor(Graph::cube_connected_cycles(4), PortModel::one, 296);
    }
}

TEST_CASE("factor exchange: all ports", "[total-exchange]")
{
    for (NodeId n = 2; n <= 32; ++n) {
        check_factor(Graph::path(n), PortModel::all, n * n / 4);
        check_factor(Graph::complete(n), PortModel::all, 1);
    }
    for (NodeId n = 3; n <= 40; ++n)
        check_factor(Graph::ring(n), PortModel::all, n % 2 == 1 ? (n * n - 1) / 8 : (n * n + 7) / 8);
    check_factor(Graph::petersen(), PortModel::all, 5);
    const std::map<std::string, unsigned> cayley = {
        {"star:4", 21}, {"pancake:4", 20}, {"ccc:3", 36}, {"circulant:13,1,5", 5}};
    for (const auto& [text, steps] : cayley)
        check_factor(Topology::parse(text).factor(0), PortModel::all, steps);
}

TEST_CASE("factor exchange: any graph, hop by hop", "[total-exchange]")
{
    for (unsigned seed = 1; seed <= smaller(30U, 6U); ++seed) {
        const Graph graph = dcube::test::random_graph(seed, 3 + seed % 9);
        for (const PortModel ports : {PortModel::one, PortModel::all})
            check_factor(graph, ports, factor_exchange(graph, ports)->steps);
    }
}

TEST_CASE("total exchange: the expected numbers, on the machine", "[total-exchange]")
{
    for (const Row& row : rows) {
        const Topology topology = Topology::parse(row.network);
        if (topology.nodes() > smaller(1024U, 64U))
            continue;
        check_run(topology, "factor-by-factor", row.factor_by_factor);
        if (row.homogeneous)
            check_run(topology, "homogeneous", *row.homogeneous);
        if (row.interleaved)
            check_run(topology, "interleaved", *row.interleaved);
        if (row.colouring)
            check_run(topology, "edge-colouring", *row.colouring);
        INFO(row.network);
        const Problem problem{Collective::all_to_all, 3};
        CHECK(steps_bound(topology, PortModel::all, problem).value == *row.bound);
        const Algorithm& best = find_algorithm(topology, PortModel::all, problem);
        CHECK(best.cost(topology, problem).steps <=
              std::min(row.interleaved.value_or(~0U), row.colouring.value_or(~0U)));
        CHECK(find_algorithm(topology, PortModel::one, problem).cost(topology, problem).steps == row.factor_by_factor);
        if (row.greedy && topology.nodes() <= smaller(64U, 16U)) {
            const std::uint64_t steps = entry("farthest-first").cost(topology, problem).steps;
            CHECK(steps >= *row.bound);
            CHECK(steps <= *row.greedy);
        }
    }
}

TEST_CASE("total exchange: more expected numbers", "[total-exchange]")
{
    const std::map<std::string, unsigned> equal_factors = {{"mesh:3x3x3x3", 54},    {"mesh:4x4x4x4", 256},
                                                           {"kary:4^4", 128},       {"ghc:3x3x3x3", 27},
                                                           {"mesh:3x3x3x3x3", 162}, {"path:4*ring:4*complete:4", 64},
                                                           {"kary:5^3", 75}};
    for (const auto& [network, steps] : equal_factors) {
        const Topology topology = Topology::parse(network);
        if (topology.nodes() > smaller(256U, 64U))
            continue;
        INFO(network);
        const Schedule schedule = digit_rounds_exchange(topology);
        CHECK(schedule.steps == steps);
        CHECK(exchange_fault(topology, PortModel::all, schedule) == "");
    }
    for (const auto& [network, steps] : std::map<std::string, unsigned>{
             {"ring:6*complete:2*path:3", 27}, {"path:3*ring:6*ring:4", 54}, {"petersen*path:3", 20}}) {
        const Topology topology = Topology::parse(network);
        check_run(topology, network.starts_with("petersen") ? "interleaved" : "grouped", steps);
        CHECK(find_algorithm(topology, PortModel::all, {Collective::all_to_all}).name ==
              (network.starts_with("petersen") ? "interleaved" : "grouped"));
    }
}

TEST_CASE("total exchange: a torus of 6 x 6 takes 27 steps, where the rounds of A3 take 30", "[total-exchange]")
{
    const Topology topology = Topology::parse("torus:6x6");
    const Report report = run_on(topology, PortModel::all, "auto");
    CHECK(report.algorithm == "edge-colouring");
    CHECK(report.counts.steps == 27);
    CHECK(report.steps_lower_bound == 27);
    CHECK(run_on(topology, PortModel::all, "A3").counts.steps == 30);
}

TEST_CASE("total exchange: every algorithm on every network, any number of threads", "[total-exchange]")
{
    for (const char* const network :
         {"ring:5", "ring:6", "path:4", "complete:5", "torus:3x4", "torus:3x6", "mesh:3x4", "kary:3^3", "ghc:2x3x4",
          "star:3*path:3", "petersen", "ring:5*path:3*complete:2", "circulant:8,1,3", "hypercube:3", "ccc:3"}) {
        const Topology topology = Topology::parse(network);
        for (const Algorithm* const algorithm : algorithms_for(topology)) {
            for (const std::size_t packets : {std::size_t{1}, std::size_t{3}}) {
                INFO(network << " by " << algorithm->name << ", " << packets << " packets");
                const Report alone = run_on(topology, algorithm->ports, std::string(algorithm->name), packets, 1);
                const Report together = run_on(topology, algorithm->ports, std::string(algorithm->name), packets, 3);
                CHECK(alone.result_digest == together.result_digest);
                CHECK(alone.counts.steps == together.counts.steps);
                CHECK(alone.counts.transmissions == together.counts.transmissions);
                const Problem problem{Collective::all_to_all, 3, packets};
                CHECK(alone.counts.steps == algorithm->cost(topology, problem).steps);
                CHECK(alone.counts.transmissions == algorithm->cost(topology, problem).transmissions);
                CHECK(alone.counts.steps >= alone.steps_lower_bound);
            }
        }
    }
}

TEST_CASE("total exchange: random products of irregular graphs", "[total-exchange]")
{
    for (unsigned seed = 1; seed <= smaller(60U, 12U); ++seed) {
        const Topology topology = random_product(seed);
        INFO("seed " << seed << ": " << topology.name() << ", " << topology.nodes() << " nodes");
        std::uint64_t one = 0;
        std::uint64_t all = 0;
        for (unsigned i = 0; i < topology.dimension(); ++i) {
            const std::uint64_t copies = topology.nodes() / topology.factor(i).nodes();
            one += copies * factor_exchange_steps(topology.factor(i), PortModel::one);
            all = std::max(all, copies * factor_exchange_steps(topology.factor(i), PortModel::all));
        }
        const Schedule by_factors = factor_by_factor_exchange(topology);
        CHECK(by_factors.steps == one);
        CHECK(exchange_fault(topology, PortModel::one, by_factors) == "");
        const Schedule interleaved = interleaved_exchange(topology);
        CHECK(interleaved.steps == all);
        CHECK(exchange_fault(topology, PortModel::all, interleaved) == "");
        run_on(topology, PortModel::one, "factor-by-factor");
        run_on(topology, PortModel::all, "interleaved");
    }
}

TEST_CASE("total exchange: the rounds of the fixtures", "[total-exchange]")
{
    SECTION("A3 on two factors of three nodes: what node (0,0) sends along the second")
    {
        const Topology topology = Topology::parse("ghc:3x3");
        const Schedule schedule = homogeneous_exchange(topology);
        const auto target = [](NodeId a, NodeId b) { return 3 * a + b; };
        CHECK(round_of(schedule, topology, 1, 1, target(1, 1)) == 0);
        CHECK(round_of(schedule, topology, 1, 1, target(2, 2)) == 0);
        CHECK(round_of(schedule, topology, 1, 1, target(2, 1)) == 1);
        CHECK(round_of(schedule, topology, 1, 1, target(1, 2)) == 1);
        CHECK(round_of(schedule, topology, 1, 1, target(0, 1)) == 2);
        CHECK(round_of(schedule, topology, 1, 1, target(0, 2)) == 2);
    }
    SECTION("interleaved on a path of three nodes and one of five")
    {
        const Topology topology = Topology::parse("mesh:3x5");
        const Schedule schedule = interleaved_exchange(topology);
        constexpr NodeId rounds[2][5] = {{4, 0, 1, 2, 3}, {2, 0, 1, 3, 4}};
        for (NodeId a = 1; a <= 2; ++a)
            for (NodeId b = 0; b < 5; ++b)
                CHECK(round_of(schedule, topology, 0, 2, 5 * a + b) == rounds[a - 1][b]);
    }
}

TEST_CASE("total exchange: plans of symmetric networks are one node's", "[total-exchange]")
{
    for (const char* const network : {"torus:8x8", "ghc:3x4x5", "star:4*ring:3", "hypercube:6"}) {
        const Topology topology = Topology::parse(network);
        INFO(network);
        const Schedule one = factor_by_factor_exchange(topology);
        CHECK(one.hops.size() == topology.status(0));
        const Schedule all = interleaved_exchange(topology);
        CHECK(all.symmetry == Symmetry::translated);
        CHECK(all.hops.size() == topology.status(0) << all.alternating.size());
    }
    CHECK(abelian_exchange(Topology::parse("torus:8x8")).hops.size() == Topology::parse("torus:8x8").status(0));
    // A ring of six in an odd number of copies is the exception: even and odd nodes differ.
    CHECK(abelian_exchange(Topology::parse("torus:6x5")).alternating == std::vector<unsigned>{0});
}

TEST_CASE("total exchange: wrong schedules are caught", "[total-exchange]")
{
    const Topology topology = Topology::parse("mesh:3x4");
    const Schedule right = interleaved_exchange(topology);
    REQUIRE(exchange_fault(topology, PortModel::all, right) == "");
    Schedule dropped = right;
    dropped.hops.erase(dropped.hops.begin() + 17);
    CHECK(exchange_fault(topology, PortModel::all, dropped) != "");
    CHECK(exchange_fault(topology, PortModel::one, right) != "");
    Schedule swapped = right;
    std::swap(swapped.hops[3].packet.target, swapped.hops[9].packet.target);
    CHECK(exchange_fault(topology, PortModel::all, swapped) != "");
}
