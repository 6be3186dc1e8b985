// Thousands of random programs and scripts on machines that are spread over ranks: they do what a simple reference
// does, whatever is between two nodes.
//
// DCUBE_PROGRAMS=n runs that many; DCUBE_SEED=s runs the one with this seed.

#include "tests/support/catch.hpp"
#include "tests/support/program_run.hpp"
#include "tests/support/reference_machine.hpp"
#include "tests/support/seeds.hpp"
#include "tests/support/sizes.hpp"

#include <algorithm>
#include <optional>

using namespace dcube;
using namespace test_support;

namespace {

struct Spread {
    ChannelKind channel;
    unsigned threads;
    unsigned ranks;
};

// Two of the many ways, by the seed; one of them with a thread per rank.
std::vector<Spread> spreads(const RandomProgram& program, std::uint64_t seed)
{
    const NodeId nodes = program.topology.nodes();
    const auto at_most = [&](std::uint64_t ranks) {
        return static_cast<unsigned>(std::min<std::uint64_t>(ranks, nodes));
    };
    const ChannelKind one = seed % 2 == 0 ? ChannelKind::slots : ChannelKind::spsc;
    const ChannelKind other = seed % 2 == 0 ? ChannelKind::spsc : ChannelKind::slots;
    return {{one, 1, at_most(2 + seed % 4)}, {other, 2, at_most(seed % 7 == 0 ? 9 : 2 + seed % 3)}};
}

// Bytes that cross are copied when they are sent, others when they are taken: a change in between is reported if lent
// bytes are watched, and otherwise the receiver gets either.
bool changes_what_is_lent(RandomProgram program)
{
    program.machine.watch_lent_bytes = true;
    const std::optional<Outcome> watched = run_on_reference(program, Turns::ascending);
    return watched && watched->failure.starts_with(name(Rule::lent_bytes_changed));
}

}  // namespace

TEST_CASE("random programs do on ranks what they do on the reference", "[emu][random][world][slow]")
{
    for (const std::uint64_t seed : seeds(smaller(300U, 60U, 40U))) {
        const RandomProgram program = random_program(seed);
        const std::optional<Outcome> expected = run_on_reference(program, Turns::ascending);
        const bool changes = changes_what_is_lent(program);
        if (!expected || (changes && program.machine.watch_lent_bytes == false))
            continue;
        for (const auto& [channel, threads, ranks] : spreads(program, seed)) {
            CAPTURE(seed, program.topology.name(), name(channel), threads, ranks);
            for (const Outcome& found : run_on_ranks(program, channel, threads, ranks, 2))
                REQUIRE((changes ? difference(comparable(*expected), comparable(found))
                                 : difference(*expected, found)) == "");
        }
    }
}

TEST_CASE("random scripts do on ranks what their sends and receives do one by one", "[emu][random][world][slow]")
{
    for (const std::uint64_t seed : seeds(smaller(300U, 60U, 40U))) {
        const RandomProgram program = random_script_program(seed);
        const RandomProgram written = without_scripts(program);
        const std::optional<Outcome> expected = run_on_reference(written, Turns::ascending);
        if (!expected || (changes_what_is_lent(written) && program.machine.watch_lent_bytes == false))
            continue;
        for (const auto& [channel, threads, ranks] : spreads(program, seed)) {
            CAPTURE(seed, program.topology.name(), name(channel), threads, ranks);
            for (const Outcome& found : run_on_ranks(program, channel, threads, ranks, 2))
                REQUIRE(difference(comparable(*expected), comparable(found)) == "");
        }
    }
}
