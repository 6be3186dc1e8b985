// Every collective on every network, by shortest paths.

#include "algorithms/beyond/any_network/shortest_path_trees.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <string>

using namespace dcube;
using test_support::smaller;

namespace {

Problem problem_on(const Topology& topology, Collective collective, std::size_t packets, NodeId root)
{
    const NodeId n = topology.nodes();
    Problem problem{collective, 5, packets, root};
    problem.peer = (root + n / 2) % n;
    problem.permutation = permutation_by_name("random", topology, root + 1);
    if (collective != Collective::permute)
        problem.permutation.clear();
    if (is_matrix(collective)) {
        problem.rows = n;
        problem.columns = std::size_t{3} * n;
        problem.to_layout = MatrixLayout::rows_striped;
    }
    return problem;
}

Report run_on(const Topology& topology, const MachineOptions& options, const Problem& problem,
              const std::string& algorithm = "auto")
{
    Machine machine(topology, options);
    VerifiedRunOptions trial;
    CallOptions call;
    call.algorithm = algorithm;
    return run_verified(machine, problem, trial, call);
}

void check_all(const Topology& topology)
{
    test_support::Sample sample;
    const NodeId n = topology.nodes();
    for (const Collective collective : all_collectives)
        for (const PortModel ports : {PortModel::one, PortModel::all})
            for (const std::size_t packets : {std::size_t{1}, std::size_t{4}, std::size_t{n} + 1}) {
                if (!sample.takes_next())
                    continue;
                const Problem problem = problem_on(topology, collective, packets, n / 3);
                INFO(topology.name() << " " << name(collective) << " " << name(ports) << " " << packets);
                const Report report = run_on(topology, {.ports = ports, .threads = 2}, problem);
                CHECK(report.verified);
                CHECK(report.counts.steps >= report.steps_lower_bound);
                CHECK(report.counts.transmissions >= report.transmissions_lower_bound);
                const Entry& algorithm = find_algorithm(topology, ports, problem);
                CHECK(algorithm.cost(topology, problem) == Cost{report.counts.steps, report.counts.transmissions});
            }
}

std::uint64_t steps(const char* network, Collective collective, PortModel ports, std::size_t packets = 1)
{
    const Topology topology = Topology::parse(network);
    return run_on(topology, {.ports = ports}, problem_on(topology, collective, packets, 0)).counts.steps;
}

}  // namespace

TEST_CASE("shortest-paths: every collective works on a network of each kind", "[shortest-paths][slow]")
{
    for (const char* const text : {"ring:5", "path:4", "torus:3x4", "mesh:3x5", "ring:5*path:2*complete:3", "star:3",
                                   "petersen", "circulant:8,1,3"})
        check_all(Topology::parse(text));
}

TEST_CASE("shortest-paths: every collective works on random irregular products", "[shortest-paths][slow]")
{
    for (unsigned seed = 1; seed <= smaller(12U, 3U); ++seed)
        if (const Topology topology = dcube::test::random_product(seed); topology.nodes() <= 24)
            check_all(topology);
}

TEST_CASE("shortest-paths: on some networks collectives take exactly the steps of their bounds", "[shortest-paths]")
{
    CHECK(steps("torus:6x6", Collective::broadcast, PortModel::all) == 6);
    CHECK(steps("torus:6x6", Collective::scatter, PortModel::all) == 9);
    CHECK(steps("torus:6x6", Collective::gather, PortModel::one) == 35);
    CHECK(steps("torus:6x6", Collective::all_gather, PortModel::all) == 9);
    CHECK(steps("torus:6x6", Collective::all_gather, PortModel::one) == 35);
    CHECK(steps("torus:6x6", Collective::reduce_scatter, PortModel::all) == 9);
    CHECK(steps("star:4", Collective::all_gather, PortModel::all) == 8);
    CHECK(steps("mesh:3x5", Collective::reduce, PortModel::all) == 6);
}

TEST_CASE("shortest-paths: reductions add up with all operations and types", "[shortest-paths]")
{
    const Topology topology = Topology::parse("mesh:3x3");
    for (const Collective collective : {Collective::reduce, Collective::reduce_scatter, Collective::all_reduce})
        for (const ElementType type :
             {ElementType::int16, ElementType::uint32, ElementType::float32, ElementType::float64})
            for (const Operation operation : {Operation::sum, Operation::min, Operation::max}) {
                Problem problem{collective, 2 * size_of(type), 3, 4, operation, type};
                INFO(name(collective) << " " << name(operation) << " " << name(type));
                CHECK(run_on(topology, {}, problem).verified);
            }
}

TEST_CASE("shortest-paths: under the link-bound model auto falls back to the unit model's algorithms",
          "[shortest-paths]")
{
    const Topology topology = Topology::parse("torus:3x3");
    MachineOptions options;
    options.link = {LinkKind::link_bound, {2, 1}, {7, 1}, LinkClock::data_driven};
    for (const Collective collective : all_collectives) {
        INFO(name(collective));
        const Report report = run_on(topology, options, problem_on(topology, collective, 2, 0));
        CHECK(report.verified);
        REQUIRE(report.virtual_time_ns.has_value());
        CHECK(*report.virtual_time_ns >= *report.time_lower_bound_ns);
    }
}

TEST_CASE("shortest-paths: schedules of Cayley graphs are one node's", "[shortest-paths]")
{
    using namespace dcube::detail;
    const Topology torus = Topology::parse("torus:5x6");
    LeastUsedPaths paths(torus, PortModel::all, Symmetry::translated);
    const Schedule schedule = schedule_trees(torus, PortModel::all, Symmetry::translated, {paths.tree(0, {0, 0, 0})});
    CHECK(schedule.hops.size() == torus.nodes() - 1);
    CHECK(schedule.steps == 8);  // ceil(29 / 4)
}

TEST_CASE("shortest-paths: too many hops to plan are refused", "[shortest-paths]")
{
    const Topology mesh = Topology::parse("mesh:100x100");
    CHECK_THROWS_WITH(find_algorithm(mesh, PortModel::all, {Collective::all_gather}),
                      Catch::Contains("it would have to plan at least 99990000 hops: at most 16777216 are allowed"));
    CHECK_NOTHROW(find_algorithm(mesh, PortModel::all, {Collective::broadcast}));
}
