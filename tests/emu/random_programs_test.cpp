// Thousands of random programs: the machine does what a simple reference does, whatever its channels and threads.
//
// DCUBE_PROGRAMS=n runs that many; DCUBE_SEED=s runs the one with this seed.

#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/reference_machine.hpp"
#include "tests/support/seeds.hpp"

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

TEST_CASE("random programs do on every machine what they do on the reference", "[emu][random]")
{
    for (const std::uint64_t seed : seeds(300, 50)) {
        const RandomProgram program = random_program(seed);
        const std::optional<Outcome> expected = run_on_reference(program, Turns::ascending);
        if (!expected)
            continue;
        CAPTURE(seed);
        REQUIRE(difference(*expected, *run_on_reference(program, Turns::descending)) == "");
        check_on_all_machines(program, *expected, seed);
    }
}
