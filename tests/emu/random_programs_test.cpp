// Thousands of random programs: the machine does what a simple reference does, whatever its channels and threads.
//
// DCUBE_PROGRAMS=n runs that many; DCUBE_SEED=s runs the one with this seed.

#include "tests/support/allocations.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/reference_machine.hpp"
#include "tests/support/seeds.hpp"
#include "tests/support/sizes.hpp"

using namespace dcube;
using namespace test_support;

namespace {

// Twice on each machine: nothing may be left of the first run.
void check_on_all_machines(const RandomProgram& program, const Outcome& expected, std::uint64_t seed)
{
    for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc})
        for (const unsigned threads : {1U, static_cast<unsigned>(2 + seed % 3)}) {
            Machine machine = machine_for(program, channel, threads);
            for (int time = 0; time < 2; ++time) {
                CAPTURE(seed, program.topology.name(), name(channel), threads, time);
                REQUIRE(difference(expected, run_on_machine(program, machine)) == "");
            }
        }
}

}  // namespace

#ifndef DCUBE_SANITIZED
// A refused allocation may be the machine's, a program's or the test's own: the run fails, or it does not matter.
TEST_CASE("random programs that run out of memory at some moment end, and the machine runs the next one as usual",
          "[emu][random][slow]")
{
    for (const std::uint64_t seed : seeds(100)) {
        const RandomProgram program = random_program(seed);
        const std::optional<Outcome> expected = run_on_reference(program, Turns::ascending);
        if (!expected)
            continue;
        const unsigned threads = static_cast<unsigned>(1 + seed % 3);
        Machine machine = machine_for(program, seed % 2 == 0 ? ChannelKind::slots : ChannelKind::spsc, threads);
        CAPTURE(seed, program.topology.name(), threads);
        for (std::uint64_t more = seed % 5; more < 3000; more = 2 * more + 1 + seed % 3) {
            try {
                run_on_machine(program, machine, [more] { refuse_allocation(more); });
            } catch (const std::exception&) {
            }
            refuse_no_allocation();
            CAPTURE(more);
            REQUIRE(difference(*expected, run_on_machine(program, machine)) == "");
        }
    }
}
#endif

TEST_CASE("random programs do on every machine what they do on the reference", "[emu][random][slow]")
{
    for (const std::uint64_t seed : seeds(smaller(300U, 100U, 50U))) {
        const RandomProgram program = random_program(seed);
        const std::optional<Outcome> expected = run_on_reference(program, Turns::ascending);
        if (!expected)
            continue;
        CAPTURE(seed);
        REQUIRE(difference(*expected, *run_on_reference(program, Turns::descending)) == "");
        check_on_all_machines(program, *expected, seed);
    }
}
