// Total exchange on Cartesian products: the expected numbers, and every algorithm on real bytes.

#include "algorithms/papers/dimakopoulos/exchanges.hpp"
#include "algorithms/papers/dimakopoulos/factor_exchange.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/exchange_check.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/networks_table.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using namespace dcube;
using namespace dcube::detail;
using dcube::test::exchange_fault;
using dcube::test::NetworkRow;
using dcube::test::networks_table;
using dcube::test::random_product;
using test_support::smaller;

namespace {

Report run_on(const Topology& topology, PortModel ports, const std::string& algorithm, std::size_t packets = 1,
              unsigned threads = 2)
{
    Machine machine(topology, {.ports = ports, .threads = threads});
    VerifiedRunOptions trial;
    CallOptions options;
    options.algorithm = algorithm;
    return run_verified(machine, {Collective::all_to_all, 3, packets}, trial, options);
}

const Entry& entry(std::string_view name)
{
    for (const Entry& algorithm : catalogue())
        if (algorithm.collective == Collective::all_to_all && algorithm.name == name &&
            algorithm.link == LinkKind::unit)
            return algorithm;
    throw std::logic_error("no such algorithm: " + std::string(name));
}

// The total exchange algorithms that are for this network.
std::vector<const Entry*> algorithms_for(const Topology& topology)
{
    std::vector<const Entry*> all;
    for (const Entry& algorithm : catalogue())
        if (algorithm.collective == Collective::all_to_all && algorithm.link == LinkKind::unit &&
            obstacle_of(algorithm, topology, algorithm.ports, {Collective::all_to_all, 1}).empty())
            all.push_back(&algorithm);
    return all;
}

// Checks that the algorithm takes `steps` steps by its closed form and on the machine, over shortest paths.
void check_run(const Topology& topology, std::string_view algorithm, std::uint64_t steps)
{
    INFO(topology.name() << " by " << algorithm);
    const Entry& here = entry(algorithm);
    CHECK(here.cost(topology, {Collective::all_to_all, 3}).steps == steps);
    const Report report = run_on(topology, here.ports, std::string(algorithm));
    CHECK(report.counts.steps == steps);
    CHECK(report.counts.transmissions == topology.sum_of_statuses());
    CHECK(report.counts.steps >= report.steps_lower_bound);
}

}  // namespace

TEST_CASE("total exchange: runs take the steps and transmissions of the table of networks", "[total-exchange][long]")
{
    for (const NetworkRow& row : networks_table) {
        const Topology topology = Topology::parse(row.network);
        if (topology.nodes() > smaller(1024U, 256U, 64U))
            continue;
        check_run(topology, "factor-by-factor", row.factor_by_factor);
        if (row.homogeneous)
            check_run(topology, "homogeneous", *row.homogeneous);
        check_run(topology, "interleaved", row.interleaved);
        if (row.edge_colouring)
            check_run(topology, "edge-colouring", *row.edge_colouring);
        INFO(row.network);
        const Problem problem{Collective::all_to_all, 3};
        CHECK(steps_bound(topology, PortModel::all, problem).value == row.all_ports);
        const Entry& best = find_algorithm(topology, PortModel::all, problem);
        CHECK(best.cost(topology, problem).steps <=
              std::min(row.interleaved, row.edge_colouring.value_or(row.interleaved)));
        CHECK(find_algorithm(topology, PortModel::one, problem).cost(topology, problem).steps <= row.factor_by_factor);
        if (row.greedy && topology.nodes() <= smaller(64U, 16U)) {
            const std::uint64_t steps = entry("farthest-first").cost(topology, problem).steps;
            CHECK(steps >= row.all_ports);
            CHECK(steps <= *row.greedy);
        }
    }
}

TEST_CASE("total exchange: products of rings and others are grouped, others interleaved", "[total-exchange]")
{
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

TEST_CASE("total exchange: every algorithm works on every network, with any number of threads",
          "[total-exchange][slow]")
{
    for (const char* const network :
         {"ring:5", "ring:6", "path:4", "complete:5", "torus:3x4", "torus:3x6", "mesh:3x4", "kary:3^3", "ghc:2x3x4",
          "star:3*path:3", "petersen", "ring:5*path:3*complete:2", "circulant:8,1,3", "hypercube:3", "ccc:3"}) {
        const Topology topology = Topology::parse(network);
        for (const Entry* const algorithm : algorithms_for(topology)) {
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

TEST_CASE("total exchange: schedules for random products of irregular graphs are legal, and as long as promised",
          "[total-exchange][long]")
{
    for (unsigned seed = 1; seed <= smaller(60U, 20U, 12U); ++seed) {
        const Topology topology = random_product(seed);
        INFO("seed " << seed << ": " << topology.name() << ", " << topology.nodes() << " nodes");
        std::uint64_t one = 0;
        std::uint64_t all = 0;
        for (unsigned i = 0; i < topology.dimension(); ++i) {
            const std::uint64_t copies = topology.nodes() / topology.factor(i).nodes();
            one += copies * factor_exchange_steps(topology.factor(i), PortModel::one);
            all = std::max(all, copies * factor_exchange_steps(topology.factor(i), PortModel::all));
        }
        const Schedule by_factors = factor_by_factor(topology);
        CHECK(by_factors.steps == one);
        CHECK(exchange_fault(topology, PortModel::one, by_factors) == "");
        const Schedule in_rounds = interleaved(topology);
        CHECK(in_rounds.steps == all);
        CHECK(exchange_fault(topology, PortModel::all, in_rounds) == "");
        run_on(topology, PortModel::one, "factor-by-factor");
        run_on(topology, PortModel::all, "interleaved");
    }
}

TEST_CASE("total exchange: factors whose exchange is too long to plan are refused with its hops", "[total-exchange]")
{
    std::vector<std::pair<NodeId, NodeId>> edges{{1, 2047}};
    for (NodeId node = 0; node + 2 < 2048; ++node)
        edges.emplace_back(node, node + 1);
    const Topology topology = Topology::product({Graph::from_edges("long", edges)});
    const Problem problem{Collective::all_to_all, 1};
    for (const char* const name : {"interleaved", "factor-by-factor"})
        CHECK_THAT(obstacle_of(entry(name), topology, PortModel::all, problem),
                   Catch::Contains("the exchange in long takes 28"));
    CHECK_THROWS_AS(find_algorithm(topology, PortModel::all, problem), InvalidArgument);
}
