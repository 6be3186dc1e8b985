// A benchmark's request, before anything is measured; and a benchmark of a collective, from its cells to its document.

#include "inspect/measure/bench_run.hpp"
#include "inspect/measure/team.hpp"
#include "tests/support/catch.hpp"

#include <cstdint>
#include <vector>

using namespace dcube;
using namespace dcube::measure;

namespace {

std::vector<Setup> broadcasts(const std::vector<unsigned>& dimensions)
{
    std::vector<Setup> setups;
    for (const unsigned dimension : dimensions)
        setups.push_back({.topology = Topology::hypercube(dimension),
                          .problem = {.collective = Collective::broadcast},
                          .machine = {.threads = 1}});
    return setups;
}

}  // namespace

TEST_CASE("bench run: settings of an effort that are left out follow from the others", "[bench][measure]")
{
    CHECK(effort_of({}).min_seconds == BenchEffort{}.min_seconds);
    CHECK(effort_of({.min_seconds = 5}).max_seconds == 10);
    CHECK(effort_of({.min_seconds = 0.1}).max_seconds == BenchEffort{}.max_seconds);
    CHECK(effort_of({.max_seconds = 0.1}).min_seconds == 0.1);
    CHECK(effort_of({.min_seconds = 2, .max_seconds = 1}).max_seconds == 1);
    CHECK(effort_of({.samples = 90'000, .rounds = 9}).max_samples_a_round == 10'000);
    CHECK(effort_of({.check = false}).check == false);
    CHECK(effort_of({.seed = 7}).order_seed == 7);
}

TEST_CASE("bench run: a cell that appears twice is refused", "[bench][measure]")
{
    CHECK_NOTHROW(require_different(broadcasts({2, 3})));
    CHECK_THROWS_WITH(require_different(broadcasts({2, 3, 2})),
                      "a cell is asked for twice: broadcast, hypercube:2, 64 bytes, 1 thread");
}

TEST_CASE("bench run: a cell that cannot be measured is left out with the reason, and takes no memory",
          "[bench][measure]")
{
    std::vector<Setup> setups = broadcasts({2, 3});
    setups.back().algorithm = "none";
    CHECK(memory_needed(setups.front()) > 0);
    CHECK_THROWS_WITH(memory_needed(setups.back()), Catch::StartsWith("algorithm: broadcast has no algorithm 'none'"));

    const std::vector<std::uint64_t> memory{memory_needed(setups.front()), 0};
    const BenchHead head{.command = "a test", .effort = effort_of({.max_seconds = 1e-6, .samples = 1, .rounds = 6})};
    const Benchmark benchmark =
        measured_benchmark(setups, candidates_of(setups, memory, {}), head, {.now = steady_seconds});
    const Json document = bench_document(benchmark);
    CHECK(document.at("command") == "a test");
    REQUIRE(document.at("cells").size() == 1);
    CHECK(document.at("cells")[0].at("steps") == 2);
    REQUIRE(document.at("left_out").size() == 1);
    CHECK(document.at("left_out")[0].at("cell") == "broadcast, by none, hypercube:3, 64 bytes, 1 thread");
    CHECK(read_bench_document(bench_json(document), "it") == document);
}

TEST_CASE("bench run: if no cell can be measured, the first one's error is thrown", "[bench][measure]")
{
    std::vector<Setup> setups = broadcasts({2, 3});
    for (Setup& setup : setups) {
        setup.problem.link = {.kind = LinkKind::link_bound, .tau = Rational(1), .beta = Rational(1)};
        setup.machine.link = setup.problem.link;
        setup.problem.tuning.groups = 2;
        setup.algorithm = "rotated";
    }
    const std::vector<std::uint64_t> memory{0, 0};
    try {
        measured_benchmark(setups, candidates_of(setups, memory, {}), {}, {.now = steady_seconds});
        FAIL("there is nothing to measure");
    } catch (const InvalidArgument& error) {
        CHECK(error.about == "groups");
    }
}
