// Which limit binds a run, with limits in round numbers.

#include "tests/measure/made_up_limits.hpp"
#include "tests/support/catch.hpp"

#include "measure/limit_of_run.hpp"

#include <cmath>

using namespace dcube::measure;
using namespace dcube::test;

namespace {

// A million packets in so few steps that copies bind.
Demand many_packets(std::size_t packet_bytes, std::uint64_t working_set_bytes, unsigned threads = 1)
{
    return {.threads = threads,
            .nodes = 64,
            .steps = 1,
            .transmissions = 1'000'000,
            .packet_bytes = packet_bytes,
            .working_set_bytes = working_set_bytes};
}

// The rate at which these packets would be copied, in bytes a second.
double rate_for(const Demand& demand)
{
    return static_cast<double>(demand.transmissions) * static_cast<double>(demand.packet_bytes) /
           limit_of_run(made_up_limits(), demand).value().seconds;
}

}  // namespace

TEST_CASE("limit of a run: at the sizes that were measured it is exactly what was measured", "[measure][limits]")
{
    CHECK(rate_for(many_packets(8, 1024)) == Approx(1e9).epsilon(1e-12));
    CHECK(rate_for(many_packets(128, 1024)) == Approx(4e9).epsilon(1e-12));
    CHECK(rate_for(many_packets(8, 16384)) == Approx(0.25e9).epsilon(1e-12));
    CHECK(rate_for(many_packets(128, 16384)) == Approx(1e9).epsilon(1e-12));
    CHECK(rate_for(many_packets(128, 16384, 2)) == Approx(2e9).epsilon(1e-12));
    CHECK(rate_for(many_packets(1 << 20, 1024)) == Approx(10e9).epsilon(1e-12));
}

TEST_CASE("limit of a run: between sizes, logarithms are interpolated; beyond them nothing changes",
          "[measure][limits]")
{
    CHECK(rate_for(many_packets(32, 1024)) == Approx(2e9));   // 8 x 4 = 32, 32 x 4 = 128: half of the way
    CHECK(rate_for(many_packets(8, 4096)) == Approx(0.5e9));  // of working sets too
    CHECK(rate_for(many_packets(32, 4096)) == Approx(1e9));
    CHECK(rate_for(many_packets(129, 4096)) == Approx(5e9));  // larger than any block: copies
    CHECK(rate_for(many_packets(8, 1)) == Approx(1e9));
    CHECK(rate_for(many_packets(8, std::uint64_t{1} << 40U)) == Approx(0.25e9));
}

TEST_CASE("limit of a run: what is smaller than any block takes as long as that block", "[measure][limits]")
{
    const auto of_bytes = [](std::size_t bytes) { return limit_of_run(made_up_limits(), many_packets(bytes, 1024)); };
    CHECK(of_bytes(1).value().seconds == Approx(of_bytes(8).value().seconds));
    CHECK(of_bytes(1).value().binds == "scattered 1-byte copies");
}

TEST_CASE("limit of a run: the larger one binds, and is named", "[measure][limits]")
{
    Demand demand{
        .threads = 2, .nodes = 64, .steps = 1000, .transmissions = 1000, .packet_bytes = 64, .working_set_bytes = 1024};
    const LimitOfRun steps = limit_of_run(made_up_limits(), demand).value();
    CHECK(steps.binds == "steps");
    CHECK(steps.seconds == Approx(1000 * 2e-6));

    demand.transmissions = 1'000'000'000;
    const LimitOfRun blocks = limit_of_run(made_up_limits(), demand).value();
    CHECK(blocks.binds == "scattered 64-byte copies");
    CHECK(blocks.seconds > steps.seconds);

    demand.packet_bytes = 4096;
    CHECK(limit_of_run(made_up_limits(), demand).value().binds == "copies");
}

TEST_CASE("limit of a run: none where nothing was measured, or nothing is done", "[measure][limits]")
{
    CHECK_FALSE(limit_of_run(made_up_limits(), many_packets(64, 1024, 3)));
    CHECK_FALSE(limit_of_run(Limits(), many_packets(64, 1024)));
    CHECK_FALSE(limit_of_run(made_up_limits(), {.threads = 1, .nodes = 1}));

    Limits only_steps = made_up_limits();
    only_steps.threads[0].blocks.clear();
    only_steps.threads[0].copies.clear();
    CHECK(limit_of_run(only_steps, many_packets(64, 1024)).value().binds == "steps");
}
