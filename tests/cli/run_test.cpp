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

TEST_CASE("run: the text report says what was reached, in words and grouped figures", "[cli]")
{
    const Outcome outcome = dcube_line("run all-to-all --dim 8 --bytes 4KiB");
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    CHECK_THAT(outcome.out, Catch::Contains("hypercube:8, 256 nodes, all ports"));
    CHECK_THAT(outcome.out, Catch::Contains("128 (optimal: half of all packets cross each dimension"));
    CHECK_THAT(outcome.out, Catch::Contains("262 144 (optimal: "));
    CHECK_THAT(outcome.out, Catch::Contains("100.0 %"));
    CHECK_THAT(outcome.out, Catch::Contains("65 536 blocks, every byte"));
    CHECK_THAT(outcome.out, Catch::Contains("GB/s over the links") && !Catch::Contains("memcpy"));
}

TEST_CASE("run: what is not optimal is told beside the bound", "[cli]")
{
    const Outcome outcome = dcube_line("run all-reduce --dim 6 --packets 17 --bytes 8");
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, Catch::Contains("9 (lower bound 8: "));
}

TEST_CASE("run: one node has nothing to do, and does it", "[cli]")
{
    for (const Collective collective : all_collectives) {
        if (is_point_to_point(collective) || is_matrix(collective))
            continue;  // for link-bound machines
        CAPTURE(name(collective));
        const std::string line = "run " + std::string(name(collective)) + " --dim 0";
        CHECK(json_of(line)["steps"] == 0);
        CHECK(dcube_line(line).exit_code == 0);
    }
}

TEST_CASE("run: the digest is equal for any threads, channels and algorithms", "[cli]")
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

TEST_CASE("run: a dry run tells what it would take", "[cli]")
{
    const ordered_json expected = json_of("run all-to-all --dim 8 --bytes 4KiB --dry-run");
    CHECK(expected["steps"] == 128);
    CHECK(expected["transmissions"] == 262144);
    CHECK(expected["link_bytes"] == 262144ULL * 4096);
    CHECK(expected["memory_bytes"] > 2 * 65536 * 4096);
    CHECK(expected["predicted_seconds"] > 0);
    const Outcome outcome = dcube_line("run all-to-all --dim 8 --bytes 4KiB --dry-run");
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, Catch::Contains("dry run; estimated:"));
    CHECK_THAT(outcome.out, Catch::Contains("128 (optimal"));
}

TEST_CASE("run: a dry run of what no memory could hold is possible", "[cli]")
{
    CHECK(dcube_line("run all-to-all --dim 20 --bytes 1K --dry-run").exit_code == 0);
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
    const std::string text = dcube_line(line).out;
    CHECK_THAT(text, Catch::Contains("sums to the centres, steps 1 to 2\n"));
    CHECK_THAT(text, Catch::Contains("between the centres, step 3\n"));
    CHECK(json_of("run all-reduce --dim 3 --packets 8 --algorithm exchange")["phases"].is_null());
    CHECK(report["counters"].is_null());
}
