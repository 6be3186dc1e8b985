// Networks from files that are recognised, on the command line.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/process.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string>

using namespace dcube::test;
using namespace test_support;
using nlohmann::ordered_json;

namespace {

// Eight accelerators in two quads, each linked to its partner: complete:4 * complete:2.
constexpr const char* quads = "0 1\n0 2\n0 3\n0 4\n1 2\n1 3\n1 5\n2 3\n2 6\n3 7\n4 5\n4 6\n4 7\n5 6\n5 7\n6 7\n";
// The 3-cube with other numbers.
constexpr const char* cube = "3 5\n3 0\n3 1\n5 6\n5 7\n0 6\n0 2\n6 4\n1 7\n1 2\n7 4\n2 4\n";

ordered_json asked(const std::string& words)
{
    const Outcome outcome = executed(words + " --format json");
    INFO(words << ": " << outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return ordered_json::parse(outcome.out);
}

}  // namespace

TEST_CASE("recognised networks: a file gets the algorithms of the network that it is, and the report says so", "[cli]")
{
    const TemporaryFolder folder;
    write_text(folder.file("quads.txt"), quads);
    const std::string file = "graph:" + folder.file("quads.txt");
    const ordered_json report = asked("run all-reduce --topology " + file);
    CHECK(report["recognised"] == "ghc:2x4");
    CHECK(report["topology"] == file);
    CHECK(report["steps"] == 2);
    CHECK(report["steps_lower_bound"] == 2);
    CHECK(asked("run all-reduce --dry-run --topology " + file)["recognised"] == "ghc:2x4");
    CHECK(asked("info --topology " + file)["recognised"] == "ghc:2x4");
    CHECK(asked("run all-reduce --topology ghc:2x4")["recognised"] == nullptr);
    for (const char* const command : {"run all-reduce", "compare all-reduce", "info"}) {
        const std::string text = executed(fmt::format("{} --topology {}", command, file)).out;
        CAPTURE(command, text);
        CHECK(contains(text, "is ghc:2x4"));
        CHECK(contains(text, "gets its"));
    }
}

TEST_CASE("recognised networks: traces, roots and failures have the file's numbers", "[cli]")
{
    const TemporaryFolder folder;
    write_text(folder.file("cube.txt"), cube);
    const std::string file = "graph:" + folder.file("cube.txt");
    const std::string trace = folder.file("t.jsonl");
    for (const char* const what : {"all-to-all", "scatter --root 6", "all-gather --packets 2 --ports one",
                                   "broadcast --root 4 --tau 1 --beta 100", "permute --permutation rotation"}) {
        CAPTURE(what);
        const ordered_json report = asked(fmt::format("run {} --topology {} --trace {}", what, file, trace));
        CHECK(report["recognised"] == "hypercube:3");
        CHECK(report["verified"] == true);
        const Outcome verdict = executed("verify " + trace);
        CHECK(contains(verdict.out, "accepted"));
        CHECK(executed("replay " + trace).exit_code == 0);
    }
    // The first transmission of a scatter leaves the root over one of its links in the file.
    REQUIRE(executed("run scatter --root 6 --topology " + file + " --trace " + trace).exit_code == 0);
    CHECK(contains(read_text(trace), R"("step":1,"from":6,"to":0,"port":0)"));
    CHECK(executed("explain all-to-all --topology " + file).exit_code == 0);
    CHECK(executed(fmt::format("view all-to-all --topology {} --html {}", file, folder.file("v.html"))).exit_code == 0);
}
