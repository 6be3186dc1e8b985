// Messages that are cut where links take time: how fast that is, and that all of them arrives.

#include "collectives/example.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/link_bound.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <string>
#include <vector>

using namespace dcube;
using namespace test_support;

namespace {

LinkModel links(Rational tau, std::int64_t beta)
{
    return {LinkKind::link_bound, tau, {beta, 1}, LinkClock::data_driven};
}

Report run_on(const Topology& topology, const Problem& problem, const std::string& algorithm = "auto")
{
    MachineOptions options;
    options.threads = 1;
    options.link = problem.link;
    Machine machine(topology, options);
    return run_verified(machine, problem, {}, {.algorithm = algorithm});
}

Problem permuting(const Topology& topology, std::size_t bytes, LinkModel link, std::vector<NodeId> permutation = {})
{
    Problem problem{.collective = Collective::permute, .bytes = bytes, .link = link};
    problem.permutation = permutation.empty() ? permutation_by_name("shuffle", topology, 1) : std::move(permutation);
    return problem;
}

struct Known {
    const char* network;
    Problem problem;
    Rational most;  // ns: by hand, with the best of a few numbers of packets
};

void check(const Known& known)
{
    const Topology topology = Topology::parse(known.network);
    INFO(name(known.problem.collective) << " on " << known.network);
    const Report report = run_on(topology, known.problem);
    CHECK(report.prediction_is_exact);
    CHECK(to_string(*report.virtual_time_ns) == to_string(*report.predicted_time_ns));
    CHECK(*report.virtual_time_ns <= known.most);
    CHECK(*report.virtual_time_ns >= *report.time_lower_bound_ns);
    CHECK(report.problem.packets == 1);
    CHECK(report.counts.transmissions > report.transmissions_lower_bound);
}

}  // namespace

TEST_CASE("auto cuts long messages as well as by hand, or better", "[link-bound][long]")
{
    using enum Collective;
    const std::vector<NodeId> random{10, 5, 2, 6, 0, 9, 7, 12, 15, 4, 3, 1, 14, 13, 11, 8};
    check({"torus:5x5", {.collective = broadcast, .bytes = 50441, .root = 22, .link = links({1, 1}, 1)}, {13532, 1}});
    check({"ghc:3x4",
           {.collective = broadcast, .bytes = 1000003, .root = 11, .link = links({2500, 7}, 100000)},
           {554777500, 7}});
    check({"star:4",
           {.collective = exchange, .bytes = 3483, .root = 17, .peer = 22, .link = links({10000, 17}, 10000)},
           {18000000, 17}});
    check({"ring:9",
           {.collective = broadcast, .bytes = 262144, .root = 8, .link = links({10000, 17}, 10000)},
           {1374120000, 17}});
    check({"ring:5*path:4", {.collective = reduce, .bytes = 43, .root = 7, .link = links({1, 1}, 1)}, {38, 1}});
    check({"torus:4x4", permuting(Topology::parse("torus:4x4"), 294910, links({1, 1}, 300), random), {206136, 1}});
    check({"kary:4^3",
           {.collective = exchange, .bytes = 971186, .root = 61, .peer = 62, .link = links({10000, 17}, 100)},
           {1707376500, 17}});
    check({"path:7",
           {.collective = send, .bytes = 87343, .root = 2, .peer = 6, .link = links({100, 1}, 100)},
           {8883700, 1}});
    // Less than four times what was the bound before cuts were counted: 1 633 590 ns.
    check({"mesh:5x6", {.collective = all_reduce, .bytes = 1000000, .link = links({5, 2}, 154000)}, {6534360, 1}});
}

TEST_CASE("auto cuts permutations of few bytes on hypercubes too", "[link-bound][long]")
{
    const Topology cube = Topology::hypercube(7);
    check({"hypercube:7", permuting(cube, 23, links({10000, 17}, 10)), {152550, 17}});
    check({"hypercube:7", permuting(cube, 3, links({2, 5}, 1)), {42, 5}});
}

TEST_CASE("cut messages arrive whole, whatever their size, in the time that is predicted", "[link-bound][slow]")
{
    std::size_t cut = 0;
    test_support::Sample sample;
    for (const char* const network : {"ring:5", "path:4", "mesh:2x3", "petersen"})
        for (const std::size_t elements : {2U, 7U, 23U})
            for (const LinkClock clock : {LinkClock::data_driven, LinkClock::lockstep})
                for (const Entry& algorithm : catalogue()) {
                    const Topology topology = Topology::parse(network);
                    if (is_matrix(algorithm.collective) || !contains(algorithm.networks, topology))
                        continue;
                    Problem problem = example_problem(algorithm.collective, topology);
                    problem.type = ElementType::int16;
                    problem.bytes = 2 * elements - (is_reduction(problem.collective) ? 0 : 1);
                    problem.link = link_bound(10, 3);
                    problem.link.clock = clock;
                    if (!obstacle_of(algorithm, topology, PortModel::all, problem).empty() || !sample.takes_next())
                        continue;
                    INFO(name(problem.collective) << " by " << algorithm.name << " on " << network << ", "
                                                  << problem.bytes << " bytes, " << name(clock));
                    const Report report = run_on(topology, problem, std::string(algorithm.name));
                    CHECK(report.verified);
                    // Two exchanges may overlap where nodes begin with the second one.
                    if (algorithm.name.starts_with("segments") && clock == LinkClock::data_driven) {
                        CHECK(*report.virtual_time_ns <= *report.predicted_time_ns);
                    } else {
                        CHECK(report.prediction_is_exact);
                        CHECK(to_string(*report.virtual_time_ns) == to_string(*report.predicted_time_ns));
                    }
                    CHECK(report.counts.transmissions == algorithm.cost(topology, problem).transmissions);
                    Problem unit = problem;
                    unit.link = {};
                    cut += algorithm.cost(topology, unit).transmissions < report.counts.transmissions ? 1 : 0;
                }
    CHECK(cut > test_support::smaller(100U, 10U));
}

TEST_CASE("auto does not cut messages that the caller has cut", "[link-bound]")
{
    const Topology ring = Topology::parse("ring:9");
    Problem problem{.collective = Collective::broadcast, .bytes = 50000, .packets = 2};
    problem.link = link_bound(1, 1);
    CHECK_FALSE(run_on(ring, problem).cut_packets);
    CHECK(run_on(ring, problem, "unit:shortest-paths").counts.transmissions == 2 * 8);
}

TEST_CASE("all-reduce: auto is the best also where a plan's time is known only after a run", "[link-bound]")
{
    for (const auto& [network, ns] : {std::pair{"mesh:3x5", 900}, std::pair{"star:3*path:4", 1200}}) {
        CAPTURE(network);
        Problem problem{.collective = Collective::all_reduce, .bytes = 100, .packets = 2};
        problem.link = link_bound(1, 50);
        const Report report = run_on(Topology::parse(network), problem);
        CHECK(report.prediction_is_exact);
        CHECK(report.virtual_time_ns->to_double() <= ns);  // the time of by-dimensions
    }
}
