// Alone or together: what was faster is chosen, and the other way is looked at ever more rarely.

#include "emu/step_choice.hpp"
#include "tests/support/catch.hpp"

using namespace dcube::detail;

namespace {

// A machine on which steps take as long as `alone` and `together` say, for each ns of work.
struct Costs {
    double alone;
    double together;
};

struct Tally {
    int together = 0;
    int looks = 0;
};

Tally run_steps(StepChoice& choice, std::uint64_t work_ns, const Costs& costs, int steps)
{
    Tally tally;
    for (int step = 0; step < steps; ++step) {
        const StepChoice::Choice one = choice.choose(work_ns);
        tally.together += one.together;
        tally.looks += one.is_a_look;
        if (one.is_timed)
            choice.note(one.together, work_ns,
                        static_cast<double>(work_ns) * (one.together ? costs.together : costs.alone));
    }
    return tally;
}

}  // namespace

TEST_CASE("step choice: little work is never shared, much always", "[emu]")
{
    StepChoice choice(2);
    CHECK(run_steps(choice, 500, {1, 0.1}, 10000).together == 0);
    CHECK(run_steps(choice, 65535, {1, 2}, 10000).together == 10000);
    CHECK(choice.learned().empty());
}

TEST_CASE("step choice: steps are run in the way that was faster, whatever was guessed", "[emu]")
{
    for (const std::uint64_t work_ns : {1100U, 3000U, 10000U, 60000U})
        for (const unsigned threads : {2U, 16U}) {
            CAPTURE(work_ns, threads);
            StepChoice faster_together(threads);
            run_steps(faster_together, work_ns, {2, 1.4}, 200);
            CHECK(run_steps(faster_together, work_ns, {2, 1.4}, 1000).together > 950);
            StepChoice faster_alone(threads);
            run_steps(faster_alone, work_ns, {1, 1.2}, 200);
            CHECK(run_steps(faster_alone, work_ns, {1, 1.2}, 1000).together < 50);
        }
}

TEST_CASE("step choice: tries of the slower way become rare, and stop where it is far slower", "[emu]")
{
    StepChoice near(2);
    const Tally tally = run_steps(near, 10000, {1, 1.2}, 1000000);
    CHECK(tally.looks > 50);
    CHECK(tally.looks < 300);
    StepChoice far(2);
    run_steps(far, 10000, {1, 5}, 200);
    CHECK(run_steps(far, 10000, {1, 5}, 1000000).together == 0);
}

TEST_CASE("step choice: a machine that changes is followed, and one long step changes nothing", "[emu]")
{
    StepChoice choice(2);
    run_steps(choice, 10000, {1, 0.6}, 1000);
    choice.note(true, 10000, 1e9);
    CHECK(run_steps(choice, 10000, {1, 0.6}, 100).together > 80);
    run_steps(choice, 10000, {1, 3}, 2000);  // another process has the other core now
    CHECK(run_steps(choice, 10000, {1, 3}, 1000).together < 50);
}

TEST_CASE("step choice: threads that never come do not keep a look going", "[emu]")
{
    StepChoice choice(2);
    int together = 0;
    for (int step = 0; step < 100000; ++step) {
        const StepChoice::Choice one = choice.choose(3000);
        together += one.together;
        if (one.is_timed && !one.together)
            choice.note(false, 3000, 3000);
    }
    CHECK(together < 8000);
}

TEST_CASE("step choice: the learned times can be read", "[emu]")
{
    StepChoice choice(2);
    run_steps(choice, 10000, {1, 0.6}, 1000);
    REQUIRE(choice.learned().size() == 1);
    const dcube::StepSeconds learned = choice.learned().front();
    CHECK(learned.alone == Approx(8192e-9));
    CHECK(learned.together == Approx(0.6 * 8192e-9));
}
