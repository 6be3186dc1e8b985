// Errors of dcube bench: exit 2, one line, nothing written.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

using namespace dcube::test;

TEST_CASE("bench: files that cannot be read or written are refused before anything is measured",
          "[cli][bench][negative]")
{
    const TemporaryFolder folder;
    write_text(folder.file("not.json"), "{\"kind\": \"limits\"}");
    check_refused("bench --read " + folder.file("none"), "none");
    check_refused("bench --read " + folder.file("none") + " --against " + folder.file("not.json"),
                  "its kind is 'limits'");
    check_refused("bench all-to-all --dim 2 --against " + folder.file("none"), "none");
    const std::string nowhere = folder.file("no/where");
    for (const char* const option : {"--output", "--html"})
        check_refused(fmt::format("bench all-to-all --dim 2 {} {}", option, nowhere), "no/where");
    check_refused(fmt::format("bench all-to-all --dim 2 --output {} --against {}", folder.file("new"), nowhere),
                  "no/where");
    CHECK(folder.names() == std::vector<std::string>{"not.json"});
}

TEST_CASE("bench: a sweep of which nothing can be measured is refused with the first reason", "[cli][bench][negative]")
{
    check_refused("bench all-to-all --dim 3 --algorithm ring-exchange", "ring-exchange");
    check_refused("bench all-to-all --dim 3 --algorithm x,y", "'x'");
    check_refused("bench all-to-all --dim 3 --algorithm x --dry-run", "'x'");
    const std::string line = "bench broadcast --dim 3 --machine ncube3 --groups 2 --algorithm rotated";
    const std::string why = "dcube: --groups is not for rotated: leave it out, or give an --algorithm that has it";
    check_refused(line, why);
    check_refused(line + " --dry-run", why);
}

TEST_CASE("bench: reasons name options in a text, and keys in a document", "[cli][bench]")
{
    const std::string line = "bench broadcast --dim 3 --machine ncube3 --groups 2 --algorithm rotated,pipelined "
                             "--min-time 0.0001 --samples 1 ";
    const std::string with_options = "--groups is not for rotated: leave it out, or give an --algorithm that has it";
    const std::string with_keys = "groups is not for rotated: leave it out, or give an algorithm that has it";
    const Outcome outcome = executed(line + "--format json");
    CHECK_THAT(outcome.err, Catch::Contains(with_options));
    CHECK(nlohmann::json::parse(outcome.out)["left_out"][0]["reason"] == with_keys);
    CHECK_THAT(executed(line + "--dry-run").out, Catch::Contains(with_options));
    CHECK(nlohmann::json::parse(executed(line + "--dry-run --format json").out)[0]["left_out"] == with_keys);
}

TEST_CASE("bench: an algorithm that the collective does not have is refused in any list", "[cli][bench][negative]")
{
    check_refused("bench all-to-all --dim 3 --algorithm optimal,nosuch", "all-to-all has no algorithm 'nosuch'");
    check_refused("bench all-to-all --dim 3 --algorithm optimal,", "all-to-all has no algorithm ''");
    check_refused("bench all-to-all --dim 3 --algorithm optimal,unit:nosuch --dry-run",
                  "has no algorithm 'unit:nosuch'");
    check_refused("bench all-to-all --dim 3 --algorithm optimal,Optimal", "a cell is asked for twice");
    check_refused("run all-to-all --dim 3 --algorithm optimal,nosuch", "all-to-all has no algorithm 'nosuch'");
}
