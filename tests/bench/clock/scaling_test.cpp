// The model of a run's time, in cases in which it must be right.

#include "bench/clock/scaling.hpp"
#include "tests/support/catch.hpp"

#include <dcube/error.hpp>

using namespace dcube::bench;

namespace {

// A total exchange on the d-cube.
ScalingLoad scaled_exchange(unsigned dimension, unsigned threads)
{
    const std::uint64_t nodes = std::uint64_t{1} << dimension;
    return {.nodes = nodes,
            .steps = nodes / 2,
            .transmissions = nodes * nodes / 2 * dimension,
            .packet_bytes = 64,
            .threads = threads};
}

constexpr ScalingConstants scaling_constants{.hop_seconds = 8e-9,
                                             .byte_seconds = 0.05e-9,
                                             .node_seconds = 2e-9,
                                             .close_seconds = 40e-9,
                                             .claim_seconds = 10e-9,
                                             .handover_seconds = 80e-9,
                                             .chunk_spread = 0.05,
                                             .start_node_seconds = 100e-9,
                                             .loan_seconds = 5e-6};

}  // namespace

TEST_CASE("scaling: on one thread a step is its hops, bytes and nodes, and its closing", "[bench]")
{
    const StepTime step = step_time(scaling_constants, scaled_exchange(10, 1));
    const double packets = 1024 * 10;
    CHECK(step.work_seconds == Approx(packets * (8e-9 + 64 * 0.05e-9) + 1024 * 2e-9));
    CHECK(step.close_seconds == Approx(40e-9));
    CHECK(step.imbalance_seconds == 0);
    CHECK(step.barrier_seconds == 0);
    CHECK(step.workers == 1);
    CHECK(run_seconds(scaling_constants, scaled_exchange(10, 1)) == Approx(512 * step.seconds() + 1024 * 100e-9));
    CHECK(speed_up(scaling_constants, scaled_exchange(10, 1)) == Approx(1));
}

TEST_CASE("scaling: where only hops cost anything, threads share them", "[bench]")
{
    for (const unsigned threads : {2U, 16U, 64U})
        CHECK(speed_up({.hop_seconds = 1e-8}, scaled_exchange(12, threads)) == Approx(threads));
}

TEST_CASE("scaling: a step that is too short to be shared takes as long on any number of threads", "[bench]")
{
    const ScalingLoad small = scaled_exchange(5, 16);  // 160 packets
    CHECK(step_time(scaling_constants, small).workers == 1);
    CHECK(step_time(scaling_constants, small).seconds() ==
          step_time(scaling_constants, scaled_exchange(5, 1)).seconds());
}

TEST_CASE("scaling: no more workers than chunks of 16 nodes", "[bench]")
{
    CHECK(step_time(scaling_constants, scaled_exchange(8, 64)).workers == 16);
    CHECK(step_time(scaling_constants, scaled_exchange(10, 64)).workers == 64);
    CHECK(step_time(scaling_constants, scaled_exchange(10, 100)).workers == 64);
}

TEST_CASE("scaling: speed-up is at most the threads, and what is large scales better than what is small", "[bench]")
{
    double before = 0;
    for (const unsigned dimension : {8U, 10U, 12U, 14U}) {
        const double gained = speed_up(scaling_constants, scaled_exchange(dimension, 64));
        CHECK(gained < 64);
        CHECK(gained > before);
        before = gained;
    }
}

TEST_CASE("scaling: memory that all threads share is a floor", "[bench]")
{
    ScalingConstants bound = scaling_constants;
    bound.memory_bytes_per_second = 10e9;
    const ScalingLoad load = scaled_exchange(14, 64);
    const double bytes = 64.0 * static_cast<double>(load.transmissions);
    CHECK(run_seconds(bound, load) > bytes / 10e9);
    CHECK(run_seconds(bound, scaled_exchange(14, 128)) > bytes / 10e9);
    CHECK(run_seconds(scaling_constants, load) < bytes / 10e9);
}

TEST_CASE("scaling: the barrier grows with the root of the number of workers", "[bench]")
{
    CHECK(handovers_of_barrier(1) == 0);
    CHECK(handovers_of_barrier(2) == 1 + 1 + 1);
    CHECK(handovers_of_barrier(4) == 1 + 2 + 1);
    CHECK(handovers_of_barrier(16) == 2 + 5 + 1);
    CHECK(handovers_of_barrier(64) == 3 + 11 + 1);
    CHECK(handovers_of_barrier(128) == 4 + 16 + 1);
    const StepTime step = step_time(scaling_constants, scaled_exchange(10, 16));
    CHECK(step.barrier_seconds == Approx(8 * 80e-9));
}

TEST_CASE("scaling: what is no run, and what is no constant, is refused", "[bench][negative]")
{
    CHECK_THROWS_AS(step_time(scaling_constants, {.nodes = 0}), dcube::InvalidArgument);
    CHECK_THROWS_AS(step_time(scaling_constants, {.steps = 0}), dcube::InvalidArgument);
    CHECK_THROWS_AS(step_time(scaling_constants, {.threads = 0}), dcube::InvalidArgument);
    CHECK_THROWS_AS(step_time({.hop_seconds = -1}, {}), dcube::InvalidArgument);
    CHECK_THROWS_AS(run_seconds({.chunk_spread = -0.1}, {}), dcube::InvalidArgument);
}
