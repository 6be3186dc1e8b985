// The judge: correct traces are accepted and counted, and what falls short is rejected.

#include "tests/judge/judged.hpp"
#include "tests/judge/timed_traces.hpp"
#include "tests/support/catch.hpp"

#include <dcube/judge.hpp>
#include <dcube/permutation.hpp>

#include <cstddef>
#include <cstdint>
#include <sstream>

using namespace dcube;
using namespace small_traces;
using test_support::error_of;

TEST_CASE("judge: correct small traces of all collectives are accepted and counted", "[judge]")
{
    for_all_small([](const Problem& problem, unsigned d, const Trace& trace) {
        const Verdict verdict = judged(trace, problem, d);
        CHECK(verdict.transmissions == trace.size());
        CHECK(verdict.bytes == trace.size() * problem.bytes);
        CHECK(verdict.steps == trace.back().step);
        CHECK(verdict.steps >= verdict.steps_lower_bound);
        CHECK(verdict.transmissions >= verdict.transmissions_lower_bound);
        CHECK_NOTHROW(judged(trace, problem, d, PortModel::all));
    });
}

TEST_CASE("judge: on one node an empty trace is complete, on more it is not", "[judge][negative]")
{
    for (const Collective collective : all_collectives) {
        CAPTURE(name(collective));
        if (!needs_two(collective))
            CHECK(judged({}, example(collective, 0), 0).steps == 0);
        CHECK(rejected_line({}, example(collective, 1), 1) == 0);
    }
}

TEST_CASE("judge: blocks that are missing in the end are named", "[judge][negative]")
{
    const auto error = [](Trace trace, const Problem& problem, unsigned d) {
        trace.pop_back();
        return complaint(trace, problem, d);
    };
    const Problem exchange{.collective = Collective::all_to_all, .bytes = 4};
    CHECK(error(all_to_all(2, 4), exchange, 2) == "node 1 never received byte 0 of the message from node 2 to node 1");
    const Problem broadcast_from_1{.collective = Collective::broadcast, .bytes = 4, .root = 1};
    CHECK(error(broadcast(2, 1, 4), broadcast_from_1, 2) == "node 2 never received byte 0 of the message from node 1");
    const Problem sum{.collective = Collective::all_reduce, .bytes = 4};
    CHECK(error(all_reduce(2, 4), sum, 2) == "at the end node 1 lacks node 2's contribution to byte 0 of the sum");
}

TEST_CASE("judge: steps without transmissions count", "[judge]")
{
    const Problem problem{.collective = Collective::broadcast, .bytes = 1};
    CHECK(judged(Trace{line(7, 0, 0, 1, 0, {})}, problem, 1).steps == 7);
    CHECK(judged(Trace{line(0x7ffffffe, 0, 0, 1, 0, {})}, problem, 1).steps == 0x7ffffffe);
}

TEST_CASE("judge: a problem that is wrong or too large is refused before anything is read", "[judge][negative]")
{
    const auto refused = [](const Problem& problem, unsigned d) {
        std::istringstream in("no trace");
        CHECK_THROWS_AS(judge_trace(in, Topology::hypercube(d), PortModel::all, problem), InvalidArgument);
    };
    refused({.collective = Collective::broadcast, .root = 2}, 1);
    refused({.collective = Collective::all_to_all, .bytes = 1}, 14);
    refused({.collective = Collective::all_to_all, .bytes = 1}, 24);
    refused({.collective = Collective::reduce_scatter, .bytes = 1}, 13);
    refused({.collective = Collective::all_reduce, .bytes = 1, .packets = 64}, 20);
    refused({.collective = Collective::broadcast, .bytes = 1, .packets = std::size_t{1} << 40}, 1);
    refused(example(Collective::send, 0), 0);
    refused({.collective = Collective::permute, .bytes = 1}, 1);
    refused({.collective = Collective::matrix_transpose}, 1);
    Problem many{.collective = Collective::permute, .bytes = 1, .packets = std::size_t{1} << 20};
    many.permutation = permutation_by_name("identity", Topology::hypercube(22));
    refused(many, 22);  // 2^64 packets at nodes, though none of them has to move
}

TEST_CASE("link-bound judge: correct traces of all collectives are accepted and timed", "[judge]")
{
    for (const Collective collective : all_collectives) {
        if (is_barrier(collective))
            continue;  // barrier_test.cpp
        for (unsigned d = 1; d <= 3; ++d) {
            const Problem problem = timed(example(collective, d), {1, 2}, {1, 2});
            const Trace trace = in_lockstep(make(problem, d));
            CAPTURE(name(collective), d);
            const Verdict verdict = judged(trace, problem, d);
            CHECK(verdict.virtual_time_ns == halves(trace.back().step * 5));
            REQUIRE(verdict.time_lower_bound_ns);
            CHECK(*verdict.time_lower_bound_ns > Rational{});
            CHECK(*verdict.time_lower_bound_ns <= *verdict.virtual_time_ns);
            CHECK(verdict.transmissions == trace.size());
            CHECK(verdict.steps_lower_bound == 0);
            CHECK(verdict.transmissions_lower_bound == 0);

            const Verdict unit = judged(trace, example(collective, d), d, PortModel::all);
            CHECK_FALSE(unit.virtual_time_ns);
            CHECK_FALSE(unit.time_lower_bound_ns);
        }
    }
}

TEST_CASE("link-bound judge: a header has all times that a run can have", "[judge]")
{
    std::istringstream in(R"({"dcube_trace":1,"collective":"broadcast","topology":"hypercube:1",)"
                          R"("link_model":"link-bound","tau_ns_per_byte":0,"beta_ns":5000000000})");
    const auto question = question_of(in);
    REQUIRE(question);
    CHECK(question->problem.link.beta == Rational{5'000'000'000, 1});
}

TEST_CASE("link-bound judge: models that cannot be judged are refused", "[judge][negative]")
{
    Problem half = broadcast_of_4;
    half.link.duplex = Duplex::half;
    CHECK_THAT(complaint({}, half, 1), Catch::StartsWith("duplex half is for one port"));
    CHECK(complaint({}, timed(broadcast_of_4, {-1, 1}, {3, 1}), 1) ==
          "tau -1 and beta 3 are not possible: expected 0 or more");
    CHECK_THROWS_AS(judged({}, timed(broadcast_of_4, {1, std::int64_t{1} << 40}), 1), InvalidArgument);
}
