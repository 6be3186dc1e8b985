// Few large packets on links that take time: every byte, in the time that is predicted; and where they are fastest.

#include "tests/support/catch.hpp"
#include "tests/support/link_bound.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <string>

using namespace dcube;
using namespace test_support;

namespace {

constexpr Collective joined[] = {Collective::scatter, Collective::gather, Collective::all_gather,
                                 Collective::reduce_scatter, Collective::all_reduce};

Problem joined_problem(Collective collective, std::size_t bytes, const LinkModel& link, NodeId root = 0)
{
    Problem problem{.collective = collective, .bytes = bytes, .root = root};
    problem.link = link;
    return problem;
}

Report joined_run(const Topology& topology, const Problem& problem, const std::string& algorithm, unsigned threads)
{
    MachineOptions options{.threads = threads, .watch_lent_bytes = true};
    options.link = problem.link;
    Machine machine(topology, options);
    return run_verified(machine, problem, {}, {.algorithm = algorithm});
}

Rational time_of(const Topology& topology, const Problem& problem)
{
    return predicted_time(find_algorithm(topology, PortModel::all, problem), topology, problem)->ns;
}

}  // namespace

TEST_CASE("joined trees: every byte arrives on any network, in the predicted time", "[link-bound][joined-trees][slow]")
{
    Sample sample;
    for (const char* const network : {"petersen", "ring:5", "path:4", "torus:3x4", "complete:5", "ring:5*path:3",
                                      "hypercube:3 without 7", "hypercube:4 without 0-1,9", "star:3"})
        for (const Collective collective : joined)
            for (const std::size_t bytes : {1U, 5U, 64U})
                for (const LinkModel& link : {link_bound(1, 1000), link_bound(3, 10)}) {
                    if (!sample.takes_next())
                        continue;
                    const Topology topology = Topology::parse(network);
                    const Problem problem = joined_problem(collective, bytes, link, topology.member(1));
                    const Entry& algorithm = find_algorithm(topology, PortModel::all, problem, "joined-trees");
                    CAPTURE(network, name(collective), bytes, to_string(link.beta));
                    const Report report = joined_run(topology, problem, "joined-trees", 2);
                    CHECK(report.verified);
                    const auto time = predicted_time(algorithm, topology, problem);
                    REQUIRE(time);
                    CHECK(time->exact);
                    CHECK(report.virtual_time_ns == time->ns);
                    CHECK(report.counts.transmissions == algorithm.cost(topology, problem).transmissions);
                    CHECK(report.counts.storage_bytes <= storage_of(algorithm, topology, problem));
                    CHECK(joined_run(topology, problem, "joined-trees", 1).result_digest == report.result_digest);
                }
}

TEST_CASE("joined trees: as many start-ups are paid as there are hops", "[link-bound][joined-trees]")
{
    const Topology petersen = Topology::parse("petersen");
    // 2 hops; the second packet of a link has two messages.
    CHECK(time_of(petersen, joined_problem(Collective::all_gather, 8, link_bound(1, 1000))) == Rational{2024, 1});
    CHECK(time_of(petersen, joined_problem(Collective::scatter, 8, link_bound(1, 1000))) == Rational{2024, 1});
    CHECK(time_of(petersen, joined_problem(Collective::all_reduce, 8, link_bound(1, 1000))) == Rational{2024, 1});
}

TEST_CASE("joined trees: hypercubes, which have better algorithms, are refused", "[link-bound][joined-trees][negative]")
{
    CHECK_THROWS_WITH(find_algorithm(Topology::hypercube(3), PortModel::all,
                                     joined_problem(Collective::gather, 8, link_bound(1, 10)), "joined-trees"),
                      Catch::Contains("gather has no algorithm 'joined-trees'") ||
                          Catch::Contains("it is for any but hypercubes"));
}
