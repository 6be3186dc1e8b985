// dcube run, as a user sees it.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <dcube/dcube.hpp>

#include <nlohmann/json.hpp>

#include <set>
#include <string>

using namespace dcube;
using namespace dcube::test;
using nlohmann::ordered_json;

TEST_CASE("run: a result that is not optimal stands beside its lower bound", "[cli]")
{
    const Outcome outcome = executed("run all-reduce --dim 6 --packets 17 --bytes 8 --verbose");
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, Catch::Contains("9 (lower bound 8: "));
    CHECK_THAT(outcome.out,
               Catch::Contains(" hops/s, ") && Catch::Contains("GB/s over the links") && !Catch::Contains("memcpy"));
}

TEST_CASE("run: on one node every collective takes no step", "[cli]")
{
    for (const Collective collective : all_collectives) {
        if (is_point_to_point(collective) || is_matrix(collective))
            continue;  // for link-bound machines
        CAPTURE(name(collective));
        const std::string line = "run " + std::string(name(collective)) + " --dim 0";
        CHECK(json_of(line)["steps"] == 0);
        CHECK(executed(line).exit_code == 0);
    }
}

TEST_CASE("run: the digest is equal for any threads, channels and algorithms", "[cli][tbb]")
{
    std::set<std::string> digests;
    for (const char* const options :
         {"--threads 1", "--threads 2", "--threads 4 --channel spsc", "--channel slots --capacity 3", "--ports one",
          "--repeat 2", "--pin compact", "--pin scatter --threads 2"})
        digests.insert(json_of(std::string("run all-to-all --dim 5 --bytes 24 ") + options)["result_digest"]);
    CHECK(digests.size() == 1);
    CHECK(digests.begin()->size() == 16);
    CHECK(!digests.contains(json_of("run all-to-all --dim 5 --bytes 24 --seed 2")["result_digest"]));
}

TEST_CASE("run: a dry run reports what the run would take", "[cli]")
{
    const ordered_json expected = json_of("run all-to-all --dim 8 --bytes 4KiB --dry-run");
    CHECK(expected["steps"] == 128);
    CHECK(expected["transmissions"] == 262144);
    CHECK(expected["link_bytes"] == 262144ULL * 4096);
    CHECK(expected["memory_bytes"] > 2 * 65536 * 4096);
    CHECK(expected["predicted_seconds"] > 0);
    const Outcome outcome = executed("run all-to-all --dim 8 --bytes 4KiB --dry-run");
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, Catch::Contains("dry run; estimated:"));
    CHECK_THAT(outcome.out, Catch::Contains("128 (optimal"));
}

TEST_CASE("run: the same dry run twice gives the same record", "[cli]")
{
    const std::string line = "run all-to-all --dim 3 --bytes 8:64:x2 --dry-run";
    CHECK(json_of(line) == json_of(line));
}

TEST_CASE("run: a dry run of what no memory could hold is possible", "[cli]")
{
    CHECK(executed("run all-to-all --dim 20 --bytes 1K --dry-run").exit_code == 0);
}

TEST_CASE("run: phases of an algorithm's program are in the report", "[cli]")
{
    const std::string line = "run all-reduce --dim 3 --packets 8 --algorithm two-centre";
    const ordered_json report = json_of(line);
    CHECK(report["steps"] == 5);
    CHECK(report["phases"] == ordered_json::parse(R"([
        {"name": "sums to the centres", "first_step": 1, "last_step": 2},
        {"name": "between the centres", "first_step": 3, "last_step": 3},
        {"name": "sums to all", "first_step": 4, "last_step": 5}])"));
    const std::string text = executed(line + " --verbose").out;
    CHECK_THAT(text, Catch::Contains("sums to the centres, steps 1 to 2\n"));
    CHECK_THAT(text, Catch::Contains("between the centres, step 3\n"));
    CHECK(json_of("run all-reduce --dim 3 --packets 8 --algorithm exchange")["phases"].is_null());
    CHECK(report["counters"].is_null());
}

TEST_CASE("run: a permutation from a pipe is read once", "[cli]")
{
    const std::string line = "echo 1 0 3 2 | \"$0\" run permute --dim 2 --permutation @/dev/stdin --format json";
    const Outcome outcome = dcube_program({"-c", line, DCUBE_PROGRAM}, {.program = {"bash"}});
    CHECK(outcome.err.empty());
    REQUIRE(outcome.exit_code == 0);
    CHECK(ordered_json::parse(outcome.out).at("permutation") == ordered_json{1, 0, 3, 2});
}
