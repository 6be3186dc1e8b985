// A step taken apart, with made-up costs in round numbers.

#include "inspect/measure/step_parts.hpp"
#include "tests/inspect/measure/made_up_limits.hpp"
#include "tests/support/catch.hpp"

using namespace dcube;
using namespace dcube::measure;

namespace {

// A barrier takes 1 us; a line 10 ns in a row, and 100 ns by itself.
constexpr StepCosts costs{1e-6, 1e-7, 1e-8};

// Two threads in 100 steps, with 64 packets of 64 bytes a step from the other core: 80 lines, 1.25 for each packet. One
// thread takes 10 us a step.
StepDemand demand_of(double us_per_step)
{
    constexpr std::uint64_t steps = 100;
    return {.threads = 2,
            .steps = steps,
            .seconds = us_per_step * 1e-6 * steps,
            .one_thread_seconds = 1e-5 * steps,
            .packet_bytes = 64,
            .dimension = 8,
            .counts = {.steps_together = steps + 1, .crossing_packets = 2 * 64 * steps}};
}

StepParts parts_of(const StepDemand& demand)
{
    const std::optional<StepParts> parts = step_parts(demand, costs);
    REQUIRE(parts);
    CHECK(parts->work_seconds + parts->crossing_seconds + parts->barrier_seconds + parts->rest_seconds ==
          Approx(parts->step_seconds));
    return *parts;
}

std::string sentence_of(const StepDemand& demand)
{
    return parts_of(demand).sentence;
}

}  // namespace

TEST_CASE("step parts: work, lines, barrier and rest add up to the step", "[measure]")
{
    const StepParts parts = parts_of(demand_of(7));
    CHECK(parts.step_seconds == Approx(7e-6));
    CHECK(parts.work_seconds == Approx(5e-6));
    CHECK(parts.barrier_seconds == Approx(1e-6));
    CHECK(parts.crossing_lines == Approx(80));
    CHECK(parts.crossing == Crossing::side_by_side);
    CHECK(parts.crossing_seconds == Approx(0.8e-6));
    CHECK(parts.rest_seconds == Approx(0.2e-6));
}

TEST_CASE("step parts: packets that their wires hold move no line of their own", "[measure]")
{
    StepDemand demand = demand_of(7);
    for (const auto& [bytes, lines] :
         {std::pair(4U, 0.25), {8U, 0.25}, {5U, 1.25}, {64U, 1.25}, {65U, 2.25}, {512U, 8.25}}) {
        CAPTURE(bytes);
        demand.packet_bytes = bytes;
        CHECK(parts_of(demand).crossing_lines == Approx(64 * lines));
    }
}

TEST_CASE("step parts: lines come one by one where that explains what is left", "[measure]")
{
    const StepParts slow = parts_of(demand_of(14.4));  // 5 + 1 + 8 = 14
    CHECK(slow.crossing == Crossing::one_by_one);
    CHECK(slow.crossing_seconds == Approx(8e-6));
    CHECK(slow.rest_seconds == Approx(0.4e-6));
    CHECK(slow.sentence == "2 threads lose: they take 1.4 times as long as one: of 14 us a step 5 are work, 1 the "
                           "barrier, 8 wait for 80 lines from the other core, one by one; try --threads 1");

    // Less than a quarter of the step.
    CHECK(parts_of(demand_of(9)).crossing == Crossing::side_by_side);
    // So much that lines are not most of it.
    CHECK(parts_of(demand_of(60)).crossing == Crossing::side_by_side);
}

TEST_CASE("step sentence: gain, nothing, loss", "[measure]")
{
    CHECK(sentence_of(demand_of(6.5)).starts_with("2 threads gain 1.5: of 6.5 us a step 5 are work"));
    CHECK(sentence_of(demand_of(10)).starts_with("2 threads gain nothing: of 10 us a step"));
    CHECK(sentence_of(demand_of(20)).starts_with("2 threads lose: they take 2 times as long as one: of 20 us"));
}

TEST_CASE("step sentence: what is no part worth a word is left out", "[measure]")
{
    StepDemand demand = demand_of(6.1);
    demand.counts.crossing_packets = 100;
    CHECK(sentence_of(demand) == "2 threads gain 1.6: of 6.1 us a step 5 are work, 1 the barrier");
}

TEST_CASE("step sentence: advice follows from the numbers", "[measure]")
{
    StepDemand demand = demand_of(10.2);
    demand.counts.crossing_packets /= 8;  // 0.1 us of lines, 4.1 of the rest
    // One and a half times as fast: 6.67 us for what one thread does in 10. 5.1 grow with that, and 5.1 stay.
    CHECK(sentence_of(demand).ends_with("; try d >= 10"));
    demand.dimension.reset();
    CHECK(sentence_of(demand).ends_with("; try 4 times the nodes"));
    demand.seconds *= 1.1;
    CHECK(sentence_of(demand).ends_with("; try --threads 1 or 4 times the nodes"));
    demand.seconds *= 20;
    CHECK(sentence_of(demand).ends_with("; try --threads 1"));  // no size that could be meant

    // At no size: what grows is slower than that by itself.
    StepDemand wide = demand_of(11);
    wide.counts.crossing_packets *= 3;
    CHECK(sentence_of(wide).ends_with("; try --threads 1"));

    CHECK(sentence_of(demand_of(6.5)).find("try") == std::string::npos);

    StepDemand left_alone = demand_of(12);
    left_alone.counts.helped_chunks = 200;
    CHECK(sentence_of(left_alone).ends_with("; try --threads 1 or an idle machine"));
}

TEST_CASE("step sentence: steps that one thread ran have no barrier and no lines", "[measure]")
{
    StepDemand demand = demand_of(10);
    demand.counts.steps_alone = 101;
    demand.counts.steps_together = 0;
    const StepParts alone = parts_of(demand);
    CHECK(alone.work_seconds == Approx(1e-5));
    CHECK(alone.crossing_seconds + alone.barrier_seconds == 0);
    CHECK(alone.sentence == "2 threads gain nothing: of 10 us a step 10 are work; one thread ran all steps, which the "
                            "clock took to be faster");

    demand.counts.steps_alone = 50;
    demand.counts.steps_together = 50;
    const StepParts half = parts_of(demand);
    CHECK(half.work_seconds == Approx(7.5e-6));
    CHECK(half.barrier_seconds == Approx(0.5e-6));
    CHECK(half.crossing_seconds == Approx(0.4e-6));
    CHECK(half.sentence.find("one thread ran 50 of 100 steps") != std::string::npos);
}

TEST_CASE("step sentence: the rest's cause, if the counts show one", "[measure]")
{
    StepDemand demand = demand_of(9);
    CHECK(sentence_of(demand).find("2.2 have no known cause") != std::string::npos);
    demand.counts.sleeps = 30;
    CHECK(sentence_of(demand).find("2.2 are lost to threads that slept (30 times in a run)") != std::string::npos);
    demand.counts.helped_chunks = 200;
    CHECK(sentence_of(demand).find("2.2 are lost to threads that came late or not at all (200 chunks of a run were "
                                   "done for them)") != std::string::npos);
    CHECK(sentence_of(demand_of(5.5)).find("together 1.3 more than it took") != std::string::npos);
}

TEST_CASE("step sentence: more than two threads have other cores, and longer steps longer units", "[measure]")
{
    StepDemand demand = demand_of(4000);
    demand.threads = 4;
    demand.one_thread_seconds = 100 * 0.012;
    demand.counts.crossing_packets *= 1000;
    CHECK(sentence_of(demand).starts_with("4 threads gain 3: of 4 ms a step 3 are work, 0.4 wait for 40000 lines from "
                                          "other cores, 0.6 have no known cause"));
}

TEST_CASE("step parts: counts of several runs are averaged", "[measure]")
{
    StepDemand demand = demand_of(14.4);
    const EngineCounts other{
        .steps_alone = 101, .crossing_packets = demand.counts.crossing_packets, .helped_chunks = 7, .sleeps = 2};
    add(demand.counts, other);
    demand.runs = 2;
    const StepParts parts = parts_of(demand);
    CHECK(parts.together == Approx(0.5));
    CHECK(parts.crossing_lines == Approx(80));
    CHECK(parts.counts == EngineCounts{.steps_alone = 51,
                                       .steps_together = 51,
                                       .crossing_packets = other.crossing_packets,
                                       .helped_chunks = 4,
                                       .sleeps = 1});
}

TEST_CASE("step parts: empty where something is not known", "[measure]")
{
    StepDemand demand = demand_of(7);
    demand.threads = 1;
    CHECK_FALSE(step_parts(demand, costs));
    demand = demand_of(7);
    demand.one_thread_seconds = 0;
    CHECK_FALSE(step_parts(demand, costs));
    demand = demand_of(7);
    demand.counts = {};
    CHECK_FALSE(step_parts(demand, costs));
}

TEST_CASE("step costs: a true barrier, and the mean over all pairs of processors", "[measure]")
{
    Limits limits = test::made_up_limits();
    limits.threads[1].best_barrier_seconds = 0;
    CHECK_FALSE(step_costs(limits, 2));  // an older document
    limits.threads[1].best_barrier_seconds = 1.5e-6;
    limits.lines = {};
    CHECK_FALSE(step_costs(limits, 2));
    CHECK_FALSE(step_parts(demand_of(7), limits));

    const std::optional<LineRates> near = LineRates{4e-8, 2e8, 4e8, 4e8};
    const std::optional<LineRates> far = LineRates{1e-7, 4e7, 1e8, 1e8};
    limits.lines = {{0, 1, 2}, {{std::nullopt, near, far}, {near, std::nullopt, far}, {far, far, std::nullopt}}};
    const std::optional<StepCosts> found = step_costs(limits, 2);
    REQUIRE(found);
    CHECK(found->barrier_seconds == limits.threads[1].barrier_seconds);
    CHECK(found->line_seconds == Approx(8e-8));
    CHECK(found->line_in_row_seconds == Approx((5e-9 + 2 * 25e-9) / 3));
    CHECK_FALSE(step_costs(limits, 1));
    CHECK_FALSE(step_costs(limits, 3));
    REQUIRE(step_parts(demand_of(7), limits));
}
