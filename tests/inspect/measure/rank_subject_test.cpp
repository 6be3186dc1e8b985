// Collectives of machines over several ranks are measured by all ranks, who do the same as often as each other.

#include "inspect/measure/experiment.hpp"
#include "inspect/measure/subject.hpp"
#include "inspect/measure/team.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/local_world.hpp"

#include <dcube/error.hpp>
#include <dcube/world.hpp>

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

using namespace dcube;
using namespace dcube::measure;
using test_support::run_ranks;

namespace {

// Rank 0's clock.
double seconds_of_first(World& world)
{
    const double own = steady_seconds();
    double seconds = 0;
    const std::vector<std::byte> told = world.broadcast(std::as_bytes(std::span(&own, 1)), 0);
    std::memcpy(&seconds, told.data(), sizeof seconds);
    return seconds;
}

std::vector<measure::Outcome> measured(const std::shared_ptr<World>& world, const std::vector<std::string>& algorithms)
{
    std::vector<Candidate> candidates;
    for (const std::string& algorithm : algorithms) {
        Setup setup{Topology::hypercube(3), {Collective::all_to_all, 8}, {}, algorithm};
        setup.machine.world = world;
        setup.machine.threads = 1;
        candidates.push_back({std::uint64_t{1} << 20, [setup] { return prepared(setup, {}); }});
    }
    BenchEffort effort;
    effort.min_seconds = 0.01;
    effort.max_seconds = 0.05;
    effort.rounds = 3;
    effort.keep_bytes = std::uint64_t{1} << 30;
    return experiment(candidates, effort, {.now = [&world] { return seconds_of_first(*world); }});
}

// The number of samples of each cell in each of its rounds.
std::vector<std::size_t> samples(const std::vector<measure::Outcome>& outcomes)
{
    std::vector<std::size_t> all;
    for (const measure::Outcome& outcome : outcomes)
        for (const Round& round : outcome.rounds)
            all.push_back(round.samples_seconds.size());
    return all;
}

}  // namespace

TEST_CASE("rank subjects: all ranks measure the same cells as often, and check them", "[measure][ranks]")
{
    constexpr unsigned ranks = 3;
    std::vector<std::vector<measure::Outcome>> outcomes(ranks);
    run_ranks(ranks, [&](const std::shared_ptr<World>& world) {
        outcomes[world->rank()] = measured(world, {"optimal", "no-such", "dimension-exchange"});
    });
    for (const std::vector<measure::Outcome>& one : outcomes) {
        REQUIRE(one.size() == 3);
        CHECK(samples(one) == samples(outcomes.front()));
        CHECK(one[0].facts.verified);
        CHECK(one[0].facts.transmissions == 96);
        CHECK(one[0].facts.data_bytes == 2 * 8 * 8 * 8);
        CHECK(one[0].rounds.front().samples_seconds == outcomes[0][0].rounds.front().samples_seconds);
        CHECK(one[1].obstacle->at_its_place(mention).starts_with("all-to-all has no algorithm 'no-such'"));
        CHECK(one[2].facts.algorithm == "dimension-exchange");
    }
}
