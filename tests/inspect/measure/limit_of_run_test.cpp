// The limit that binds a run, with limits in round numbers.

#include "tests/inspect/measure/made_up_limits.hpp"
#include "tests/support/catch.hpp"

#include "inspect/measure/limit_of_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

using namespace dcube::measure;
using namespace dcube::test;

namespace {

// A million packets in so few steps that copies bind, of which a step sends half of a working set.
Demand many_packets(std::size_t packet_bytes, std::uint64_t working_set_bytes, unsigned threads = 1)
{
    const std::uint64_t transmissions = 1'000'000;
    return {.threads = threads,
            .steps = std::max<std::uint64_t>(1, 2 * transmissions * packet_bytes / working_set_bytes),
            .transmissions = transmissions,
            .packet_bytes = packet_bytes};
}

// Limits at which a barrier takes no time.
Limits limits_of_copies()
{
    Limits limits = made_up_limits();
    for (ThreadLimits& of : limits.threads)
        of.best_barrier_seconds = 0;
    return limits;
}

// The rate at which these packets would be copied, in bytes per second.
double rate_for(const Demand& demand)
{
    return static_cast<double>(demand.transmissions) * static_cast<double>(demand.packet_bytes) /
           limit_of_run(limits_of_copies(), demand).value().seconds;
}

}  // namespace

TEST_CASE("limit of a run: at the sizes that were measured it is exactly the best that was measured",
          "[measure][limits]")
{
    CHECK(rate_for(many_packets(8, 1024)) == Approx(1e9).epsilon(1e-12));
    CHECK(rate_for(many_packets(128, 1024)) == Approx(4e9).epsilon(1e-12));
    CHECK(rate_for(many_packets(8, 16384)) == Approx(0.3e9));
    CHECK(rate_for(many_packets(128, 16384)) == Approx(1.25e9));
    CHECK(rate_for(many_packets(128, 16384, 2)) == Approx(2.5e9));
    CHECK(rate_for(many_packets(1 << 20, 1 << 30)) == Approx(3e9).epsilon(1e-12));
}

TEST_CASE("limit of a run: between sizes, logarithms are interpolated; beyond them nothing changes",
          "[measure][limits]")
{
    CHECK(rate_for(many_packets(32, 1024)) == Approx(2e9));                                // 8 x 4 = 32, 32 x 4 = 128
    CHECK(rate_for(many_packets(8, 4096)) == Approx(std::sqrt(0.3) * 1e9).epsilon(0.01));  // between working sets too
    CHECK(rate_for(many_packets(8, 16)) == Approx(1e9));
    CHECK(rate_for(many_packets(8, std::uint64_t{1} << 40U)) == Approx(0.3e9));
}

TEST_CASE("limit of a run: large blocks and small working sets are not slower, whatever was measured",
          "[measure][limits]")
{
    Limits limits = limits_of_copies();
    limits.threads[0].blocks[1].best_bytes_per_second = 1;  // 128 bytes in 1 KiB
    limits.threads[0].blocks[3].best_bytes_per_second = 2;  // in 16 KiB
    limits.threads[0].blocks[0].best_bytes_per_second = 3;  // 8 bytes in 1 KiB
    CHECK(limit_of_run(limits, many_packets(128, 1024)).value().seconds == Approx(128e6 / 0.3e9));
    CHECK(limit_of_run(limits, many_packets(128, 16384)).value().seconds == Approx(128e6 / 0.3e9));
    CHECK(limit_of_run(limits, many_packets(8, 1024)).value().seconds == Approx(8e6 / 0.3e9));
}

TEST_CASE("limit of a run: input and output are contiguous copies, and no more than is sent", "[measure][limits]")
{
    Demand demand = many_packets(8, 1024);
    const double without = limit_of_run(limits_of_copies(), demand).value().seconds;
    CHECK(without == Approx(8e6 / 1e9));

    demand.data_bytes = 4'000'000;  // 2 MB of the 8 MB are copied at 3 GB/s
    CHECK(limit_of_run(limits_of_copies(), demand).value().seconds == Approx(6e6 / 1e9 + 2e6 / 3e9));

    demand.data_bytes = 1'000'000'000;
    CHECK(limit_of_run(limits_of_copies(), demand).value().seconds == Approx(8e6 / 3e9));
}

TEST_CASE("limit of a run: a packet smaller than any measured block takes as long as the smallest block",
          "[measure][limits]")
{
    const auto of_bytes = [](std::size_t bytes) { return limit_of_run(limits_of_copies(), many_packets(bytes, 1024)); };
    CHECK(of_bytes(1).value().seconds == Approx(of_bytes(8).value().seconds));
    CHECK(of_bytes(1).value().binds == "scattered 1-byte copies");
}

TEST_CASE("limit of a run: the larger of two limits binds, and is named", "[measure][limits]")
{
    Demand demand{.threads = 2, .steps = 1000, .transmissions = 1000, .packet_bytes = 64};
    const LimitOfRun steps = limit_of_run(made_up_limits(), demand).value();
    CHECK(steps.binds == "steps");
    CHECK(steps.seconds == Approx(1000 * 1e-6));  // it is not known that both threads ran any

    demand.transmissions = 1'000'000'000;
    const LimitOfRun blocks = limit_of_run(made_up_limits(), demand).value();
    CHECK(blocks.binds == "scattered 64-byte copies");
    CHECK(blocks.seconds > steps.seconds);

    demand.packet_bytes = 4096;
    CHECK(limit_of_run(made_up_limits(), demand).value().binds == "copies");
}

TEST_CASE("limit of a run: a barrier binds the steps that all threads ran, and one thread's time the others",
          "[measure][limits]")
{
    Demand demand{.threads = 2, .steps = 1000, .transmissions = 1, .packet_bytes = 8, .steps_together = 1000};
    CHECK(limit_of_run(made_up_limits(), demand).value().seconds == Approx(1000 * 2e-6));
    demand.steps_together = 250;
    CHECK(limit_of_run(made_up_limits(), demand).value().seconds == Approx(250 * 2e-6 + 750 * 1e-6));

    Limits of_two = made_up_limits();
    of_two.threads.erase(of_two.threads.begin());  // what a step costs one thread is not known
    CHECK(limit_of_run(of_two, demand).value().seconds == Approx(250 * 2e-6));
    Limits older = made_up_limits();
    for (ThreadLimits& of : older.threads)
        of.best_barrier_seconds = 0;
    CHECK(limit_of_run(older, demand).value().binds != "steps");
}

TEST_CASE("limit of a run: lines from other cores bind what crosses, while it is in their caches", "[measure][limits]")
{
    CHECK(lines_of_packet(8) == 0.25);  // in its place
    CHECK(lines_of_packet(1) == 1.25);
    CHECK(lines_of_packet(64) == 1.25);
    CHECK(lines_of_packet(65) == 2.25);
    CHECK(lines_of_packet(0) == 0.25);

    Demand demand{.threads = 2, .steps = 100'000, .transmissions = 800'000, .packet_bytes = 64};
    CHECK(limit_of_run(limits_of_copies(), demand).value().binds == "scattered 64-byte copies");
    demand.crossing_packets = 800'000;
    const LimitOfRun all = limit_of_run(limits_of_copies(), demand).value();
    CHECK(all.binds ==
          "scattered 64-byte copies");  // a step's 8 packets are copied in 91 ns, and their lines read in 25

    Limits slow = limits_of_copies();
    slow.lines.levels[0].rates.best_lines_per_second = 1e6;
    const LimitOfRun lines = limit_of_run(slow, demand).value();
    CHECK(lines.binds == "lines from other cores");
    CHECK(lines.seconds == Approx(800'000 * 1.25 / 2e6));
    demand.steps_together = 50'000;
    CHECK(limit_of_run(slow, demand).value().seconds == Approx(lines.seconds / 2));

    slow.lines.levels.push_back({"other socket", 1, {1e-6, 1, 1, 1}});  // the nearest bind
    CHECK(limit_of_run(slow, demand).value().seconds == Approx(lines.seconds / 2));
    demand.steps = 1000;  // 51 KB a step are more than the smallest working set
    demand.steps_together.reset();
    CHECK(limit_of_run(slow, demand).value().binds == "scattered 64-byte copies");
}

TEST_CASE("limit of a run: there is none where nothing was measured, or nothing is done", "[measure][limits]")
{
    CHECK_FALSE(limit_of_run(made_up_limits(), many_packets(64, 1024, 3)));
    CHECK_FALSE(limit_of_run(Limits(), many_packets(64, 1024)));
    CHECK_FALSE(limit_of_run(made_up_limits(), {.threads = 1}));

    Limits only_steps = made_up_limits();
    only_steps.threads[0].blocks.clear();
    only_steps.threads[0].copies.clear();
    CHECK(limit_of_run(only_steps, many_packets(64, 1024)).value().binds == "steps");
}

TEST_CASE("limit of a run: a share above 100 %, and a limit measured under a warning, are doubted", "[measure][limits]")
{
    Limits limits = made_up_limits();
    CHECK(limit_doubt(limits, 0.5).empty());
    CHECK(limit_doubt(limits, 1.004).empty());  // shown as 100 %
    CHECK_THAT(limit_doubt(limits, 2.44), Catch::Contains("measured too low"));
    limits.warnings = {"0.1 processors were idle at the start, for 2 threads"};
    CHECK(limit_doubt(limits, 0.5) ==
          "when the limits were measured, 0.1 processors were idle at the start, for 2 threads");
}
