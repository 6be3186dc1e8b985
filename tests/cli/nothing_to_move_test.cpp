// Messages of 0 bytes on the command line: every command does the right thing with them, or says in one line why not.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

using namespace dcube::test;
using nlohmann::ordered_json;

TEST_CASE("0 bytes: run, dry run, verify and replay report 0 of everything", "[cli]")
{
    for (const char* const problem :
         {"broadcast --dim 3 --bytes 0", "all-gather --topology torus:3x4 --packets 0 --ports one",
          "all-reduce --dim 3 --bytes 0 --packets 0 --tau 1 --beta 9",
          "reduce-scatter --dim 2 --bytes 0B --in-place"}) {
        CAPTURE(problem);
        const TemporaryFolder folder;
        const std::string trace = folder.file("t");
        const ordered_json report = json_of(std::string("run ") + problem + " --trace " + trace);
        CHECK(report["verified"] == true);
        CHECK(report["blocks_verified"] == 0);
        CHECK(report["link_utilisation"] == 1);
        CHECK(report["ratio_to_bound"].is_null());
        CHECK(report["busiest_link"]["packets"] == 0);
        CHECK(lines_of(read_text(trace)).size() == 1);
        for (const ordered_json& record : {report, json_of(std::string("run ") + problem + " --dry-run"),
                                           json_of("verify " + trace), json_of("replay " + trace)}) {
            CHECK(record["steps"] == 0);
            CHECK(record["transmissions"] == 0);
            CHECK(record["link_bytes"] == 0);
        }
        const Outcome text = executed(std::string("run ") + problem);
        CHECK(text.exit_code == 0);
        CHECK_THAT(text.out, Catch::Contains("0 blocks, every byte"));
    }
}

TEST_CASE("0 bytes: data are read from an empty file and written to one", "[cli]")
{
    const TemporaryFolder folder;
    write_text(folder.file("empty"), "");
    const std::string line = "scatter --dim 3 --input " + folder.file("empty") + " --output " + folder.file("o");
    CHECK(executed("run " + line + " --bytes 0").exit_code == 0);
    CHECK(read_text(folder.file("o")).empty());
    check_refused("run scatter --dim 3 --input " + folder.file("empty"), "is empty");
    write_text(folder.file("some"), "x");
    check_refused("run scatter --dim 3 --bytes 0 --input " + folder.file("some"), "has 1 bytes, but");
}

TEST_CASE("0 bytes: a file has no place where nodes hold nothing", "[cli][negative]")
{
    const TemporaryFolder folder;
    write_text(folder.file("some"), "some");
    write_text(folder.file("empty"), "");
    for (const std::string problem :
         {"barrier --dim 3", "scatter --dim 2 --packets 0", "all-to-all --dim 1 --counts 0,0,0,0"}) {
        CAPTURE(problem);
        check_refused("run " + problem + " --input " + folder.file("some"), "has 4 bytes, but all nodes' input is 0");
        CHECK(executed("run " + problem + " --input " + folder.file("empty")).exit_code == 0);
    }
}

TEST_CASE("0 bytes: lists, sweeps and comparisons have rows for messages of 0 bytes", "[cli]")
{
    const ordered_json swept = json_of("run all-to-all --dim 2:3 --bytes 0,8 --packets 0:1");
    REQUIRE(swept.size() == 8);
    for (const ordered_json& one : swept)
        CHECK((one["steps"] == 0) == (one["bytes"] == 0 || one["packets"] == 0));
    CHECK(executed("compare broadcast --dim 3 --bytes 0").exit_code == 0);
    CHECK(executed("compare broadcast --dim 3 --bytes 0,64 --tau 1 --beta 9").exit_code == 0);
}

TEST_CASE("0 bytes: explain and view say that nothing is sent", "[cli]")
{
    const TemporaryFolder folder;
    for (const char* const what :
         {"explain all-gather", "explain rotated-trees --collective all-gather", "explain all-to-all"}) {
        CAPTURE(what);
        const Outcome outcome = executed(std::string(what) + " --dim 3 --bytes 0");
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 0);
        CHECK_THAT(outcome.out, Catch::Contains("messages of 0 bytes need not be sent"));
    }
    const std::string problem = " all-gather --dim 3 --bytes 0";
    CHECK(executed("export chrome" + problem + " --output " + folder.file("c")).exit_code == 0);
    check_refused("export goal" + problem + " --output " + folder.file("g"), "GOAL cannot express a schedule");
    check_refused("export msccl" + problem + " --output " + folder.file("m"),
                  "MSCCL cannot express messages of 0 bytes");
    check_refused("view" + problem, "there is nothing to show: 0 bytes are moved");
    check_refused("view" + problem + " --svg " + folder.file("s"), "there is nothing to show: 0 bytes are moved");
    check_refused("view" + problem + " --board --html " + folder.file("h"), "a board has packets to move");
    CHECK(folder.names() == std::vector<std::string>{"c"});
}

TEST_CASE("0 bytes: a benchmark has nothing to time", "[cli][bench]")
{
    for (const char* const line :
         {"bench all-reduce --dim 3 --bytes 0", "bench all-reduce --dim 3 --bytes 0,8 --dry-run",
          "bench all-reduce --dim 3 --packets 0"})
        check_refused(line, "nothing to time: 0 bytes are moved");
}
