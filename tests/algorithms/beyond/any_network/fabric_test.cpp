// Collectives where nodes or links differ: every byte, in the time that is predicted, on every kind of such networks.

#include "collectives/example.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/link_bound.hpp"
#include "tests/support/schedule_trace.hpp"
#include "tests/support/sizes.hpp"
#include "tests/support/trace_line.hpp"

#include <dcube/dcube.hpp>
#include <dcube/permutation.hpp>

#include <string>

using namespace dcube;
using namespace test_support;

namespace {

constexpr Collective collectives_of_fabrics[] = {
    Collective::broadcast,  Collective::reduce,         Collective::scatter,    Collective::gather,
    Collective::all_gather, Collective::reduce_scatter, Collective::all_reduce, Collective::all_to_all,
    Collective::send,       Collective::exchange,       Collective::permute,    Collective::scan,
    Collective::exscan};

Problem problem_on(const Topology& topology, Collective collective, std::size_t bytes, LinkModel link)
{
    Problem problem{.collective = collective, .bytes = bytes, .root = topology.member(1), .peer = topology.member(0)};
    problem.link = topology.links(link);
    if (has_permutation(collective))
        problem.permutation = permutation_by_name("rotation", topology, 1);
    return problem;
}

Report run_there(const Topology& topology, const Problem& problem, unsigned threads, std::string* trace = nullptr)
{
    MachineOptions options{.threads = threads, .watch_lent_bytes = true};
    options.link = problem.link;
    Machine machine(topology, options);
    CallOptions call;
    if (trace != nullptr)
        call.run.trace = [&](const Transmission& one) { *trace += trace_line(one, problem.link); };
    return run_verified(machine, problem, {}, call);
}

}  // namespace

TEST_CASE("fabrics: every collective is verified, in the predicted time, not below the bound", "[fabric][slow]")
{
    Sample sample(7, 5);
    for (const char* const network :
         {"dgx-1", "dgx-a100:1", "dgx-a100:2", "fat-tree:2", "fat-tree:4", "dragonfly:1,2,1",
          "mesh:3x3 with 0-1:1/2:10,4-5:3:0,3-4:0:7", "ring:6 with 0-1:2:1,5", "hypercube:3 with 0-1:2:1 without 7",
          "hypercube:3 with 0-1:2:1,3 without 7", "path:2 with 0-1:5:3"})
        for (const Collective collective : collectives_of_fabrics)
            for (const std::size_t bytes : {1U, 13U, 3000U})
                for (const LinkModel& link : {link_bound(1, 100), link_bound(2, 0)}) {
                    if (!sample.takes_next())
                        continue;
                    const Topology topology = Topology::parse(network);
                    const Problem problem = problem_on(topology, collective, bytes, link);
                    CAPTURE(network, name(collective), bytes, to_string(link.beta));
                    const Entry& algorithm = find_algorithm(topology, PortModel::all, problem);
                    CHECK(algorithm.networks == Networks::fabrics);
                    const auto time = predicted_time(algorithm, topology, problem);
                    REQUIRE(time);
                    CHECK(time->exact);
                    const Report report = run_there(topology, problem, 2);
                    CHECK(report.verified);
                    CHECK(report.virtual_time_ns == time->ns);
                    CHECK(report.counts.transmissions == algorithm.cost(topology, problem).transmissions);
                    CHECK(report.counts.steps <= algorithm.cost(topology, problem).steps);
                    CHECK(*report.time_lower_bound_ns <= *report.virtual_time_ns);
                    CHECK(run_there(topology, problem, 1).result_digest == report.result_digest);
                    Problem lockstep = problem;
                    lockstep.link.clock = LinkClock::lockstep;
                    CHECK(*run_there(topology, lockstep, 1).virtual_time_ns >= *report.virtual_time_ns);
                }
}

TEST_CASE("fabrics: traces are judged, with sums that switches pass on", "[fabric][judge]")
{
    for (const char* const network : {"dgx-1", "dgx-a100:1", "ring:6 with 0-1:2:1,5"})
        for (const Collective collective : {Collective::broadcast, Collective::reduce, Collective::all_reduce,
                                            Collective::reduce_scatter, Collective::all_to_all, Collective::gather}) {
            const Topology topology = Topology::parse(network);
            const Problem problem = problem_on(topology, collective, 24, link_bound(1, 100));
            CAPTURE(network, name(collective));
            std::string trace;
            run_there(topology, problem, 1, &trace);
            CHECK(judged(topology, PortModel::all, problem, trace) == "");
            const std::size_t at = trace.find("\"end_ns\"");
            REQUIRE(at != std::string::npos);
            CHECK_FALSE(judged(topology, PortModel::all, problem, trace.replace(at, 8, "\"end_ns \"")) == "");
        }
}

TEST_CASE("fabrics: times that can be worked out by hand", "[fabric]")
{
    const auto time_of = [](const char* network, Collective collective, std::size_t bytes, LinkModel link) {
        const Topology topology = Topology::parse(network);
        Problem problem = problem_on(topology, collective, bytes, link);
        problem.root = topology.member(0);
        problem.peer = topology.member(1);
        return predicted_time(find_algorithm(topology, PortModel::all, problem), topology, problem)->ns;
    };
    CHECK(time_of("path:2 with 0-1:5:3", Collective::send, 7, link_bound(1, 1)) == Rational{5 * 7 + 3, 1});
    CHECK(time_of("path:2 with 0-1:5:3", Collective::broadcast, 7, link_bound(1, 1)) == Rational{5 * 7 + 3, 1});
    CHECK(time_of("path:2 with 0-1:5:3", Collective::all_gather, 7, link_bound(1, 1)) == Rational{5 * 7 + 3, 1});
    // Over a switch: one packet twice, or two of half the bytes, (8 + 2) and (8 + 2) and once more.
    CHECK(time_of("path:3 with 1", Collective::send, 16, link_bound(1, 2)) == Rational{3 * (8 + 2), 1});
    CHECK(time_of("path:3 with 1", Collective::send, 16, link_bound(1, 100)) == Rational{2 * (16 + 100), 1});
    // The slow link is left out where the way round is faster.
    CHECK(time_of("ring:3 with 0-1:1000:0", Collective::send, 1, link_bound(1, 1)) == Rational{2 * 2, 1});
}

TEST_CASE("fabrics: other algorithms, unit links and switches as ends are refused", "[fabric][negative]")
{
    const Topology dgx = Topology::parse("dgx-1");
    const Problem problem = problem_on(dgx, Collective::broadcast, 8, link_bound(1, 1));
    CHECK(error_of([&] {
              find_algorithm(dgx, PortModel::all, problem, "shortest-paths");
          }).find("is not possible here: it is for networks whose nodes and links are alike") != std::string::npos);
    Problem unit = problem;
    unit.link = {};
    CHECK(error_of([&] {
              find_algorithm(dgx, PortModel::all, unit);
          }).starts_with("link_model unit is not possible on dgx-1: its nodes or links differ"));
    Problem uneven = problem_on(dgx, Collective::all_gather, 8, link_bound(1, 1));
    uneven.counts.assign(8, 2);
    CHECK(error_of([&] { find_algorithm(dgx, PortModel::all, uneven); }) ==
          "counts is not possible on dgx-1: its nodes or links differ, and there messages have one length");
    for (const Collective none : {Collective::barrier, Collective::matrix_transpose}) {
        Problem refused = example_problem(none, dgx);
        refused.link = problem.link;
        const std::string why = error_of([&] { find_algorithm(dgx, PortModel::all, refused); });
        CHECK(why.starts_with(std::string(name(none)) + " has no algorithm for dgx-1, whose nodes or links differ: "
                                                        "expected one of broadcast, "));
        CHECK(why.find("all-to-all, ") != std::string::npos);
        CHECK(why.find("barrier", 10) == std::string::npos);
    }
    const Topology star = Topology::parse("path:3 with 1");
    Problem from_switch = problem_on(star, Collective::broadcast, 8, link_bound(1, 1));
    from_switch.root = 1;
    CHECK(error_of([&] { find_algorithm(star, PortModel::all, from_switch); }) ==
          "root 1 is a switch of path:3 with 1: switches hold no data");
    const Topology torus = Topology::parse("torus:3x3");
    CHECK(error_of([&] {
              find_algorithm(torus, PortModel::all, problem_on(torus, Collective::broadcast, 8, link_bound(1, 1)),
                             "earliest-arrival");
          }).find("it is for nodes or links that differ") != std::string::npos);
}

TEST_CASE("fabrics: an operation that does not commute, in the order of the nodes or not at all", "[fabric]")
{
    const Topology dgx = Topology::parse("dgx-1");
    const OwnOperation left{.name = "left",
                            .combine = [](std::byte* into, const std::byte* a, const std::byte*,
                                          std::size_t bytes) { std::copy_n(a, bytes, into); },
                            .element = 1,
                            .commutative = false};
    for (const Collective collective : {Collective::all_reduce, Collective::scan, Collective::exscan}) {
        CAPTURE(name(collective));
        Problem problem = problem_on(dgx, collective, 5, link_bound(1, 1));
        problem.own_operation = left;
        const Report report = run_there(dgx, problem, 1);
        CHECK(report.verified);
        CHECK(report.virtual_time_ns == predicted_time(find_algorithm(dgx, PortModel::all, problem), dgx, problem)->ns);
    }
    for (const Collective collective : {Collective::reduce, Collective::reduce_scatter}) {
        Problem problem = problem_on(dgx, collective, 5, link_bound(1, 1));
        problem.own_operation = left;
        CHECK_THAT(error_of([&] { find_algorithm(dgx, PortModel::all, problem); }),
                   Catch::Contains("the operation 'left' does not commute: one that does is allowed"));
    }
}
