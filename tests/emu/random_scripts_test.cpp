// Random scripts: what a node does that follows one is what a node does that makes the same sends and receives itself,
// and what the reference does.
//
// DCUBE_PROGRAMS=n runs that many; DCUBE_SEED=s runs the one with this seed.

#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/reference_machine.hpp"
#include "tests/support/seeds.hpp"
#include "tests/support/sizes.hpp"

using namespace dcube;
using namespace test_support;

namespace {

void check_on_all_machines(const RandomProgram& program, const RandomProgram& written, const Outcome& expected,
                           std::uint64_t seed)
{
    for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc})
        for (const unsigned threads : {1U, static_cast<unsigned>(2 + seed % 3)}) {
            CAPTURE(program.topology.name(), name(channel), threads);
            Machine machine = machine_for(program, channel, threads);
            REQUIRE(difference(expected, run_on_machine(written, machine)) == "");
            REQUIRE(difference(comparable(expected), comparable(run_on_machine(program, machine))) == "");
        }
}

}  // namespace

TEST_CASE("random scripts do what their sends and receives do one by one", "[emu][random][slow]")
{
    for (const std::uint64_t seed : seeds(smaller(300U, 100U, 50U))) {
        const RandomProgram program = random_script_program(seed);
        const RandomProgram written = without_scripts(program);
        const std::optional<Outcome> expected = run_on_reference(written, Turns::ascending);
        if (!expected)
            continue;
        CAPTURE(seed);
        REQUIRE(difference(*expected, *run_on_reference(written, Turns::descending)) == "");
        check_on_all_machines(program, written, *expected, seed);
    }
}
