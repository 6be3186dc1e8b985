// dcube scale: one folder with all that was measured, its repetition, and what is left of an interrupted one.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

using namespace dcube::test;
using nlohmann::ordered_json;

namespace {

Variables scale_cache(const TemporaryFolder& folder)
{
    return {{"XDG_CACHE_HOME", folder.file("cache")}};
}

std::vector<std::string> names_in(const std::string& folder)
{
    std::vector<std::string> names;
    for (const auto& one : std::filesystem::directory_iterator(folder))
        names.push_back(one.path().filename().string());
    std::ranges::sort(names);
    return names;
}

const std::vector<std::string> files_of_scale{"bench.html",       "bench.json",  "conclusion.txt",
                                              "environment.json", "limits.json", "plan.json"};

}  // namespace

TEST_CASE("scale: a dry run says what would be measured and why, and writes nothing", "[cli][scale]")
{
    const TemporaryFolder folder;
    const Outcome outcome = dcube_line("scale " + folder.file("s") + " --dry-run", {.variables = scale_cache(folder)});
    CHECK(outcome.exit_code == 0);
    for (const char* const part : {"- ", "hypercubes of ", "packets of ", " cells in 9 rounds", "- limits: about "})
        CHECK_THAT(outcome.out, Catch::Contains(part));
    for (const std::string& line : lines_of(outcome.out))
        CHECK(line.size() <= 80);
    CHECK(folder.names().empty());
}

TEST_CASE("scale: one folder has all documents, and --again repeats its plan and compares", "[cli][scale][long]")
{
    const TemporaryFolder folder;
    const std::string first = folder.file("first");
    const Outcome outcome = dcube_line("scale " + first + " --minutes 0.1", {.variables = scale_cache(folder)});
    CHECK(outcome.exit_code == 0);
    CHECK(names_in(first) == files_of_scale);
    CHECK(folder.names() == std::vector<std::string>{"cache", "first"});  // nothing temporary
    const ordered_json plan = ordered_json::parse(read_text(first + "/plan.json"));
    const ordered_json bench = ordered_json::parse(read_text(first + "/bench.json"));
    CHECK(bench["cells"].size() + bench["left_out"].size() == plan["cells"].size());
    CHECK(bench["settings"]["processes"] == plan["processes"]);
    CHECK(bench["command"] == "dcube scale " + first + " --minutes 0.1");
    CHECK(ordered_json::parse(read_text(first + "/limits.json"))["kind"] == "limits");
    CHECK_THAT(outcome.out, Catch::Contains("dcube scale --again " + first));
    CHECK(!read_text(first + "/conclusion.txt").empty());

    const Outcome there = dcube_line("scale " + first, {.variables = scale_cache(folder)});
    CHECK(there.exit_code == 2);
    CHECK_THAT(there.err, Catch::Contains("it exists"));

    const std::string second = folder.file("second");
    const Outcome again = dcube_line("scale --again " + first + " " + second, {.variables = scale_cache(folder)});
    CHECK(again.exit_code == 0);
    std::vector<std::string> expected = files_of_scale;
    expected.insert(expected.begin() + 2, "comparison.json");
    CHECK(names_in(second) == expected);
    CHECK(ordered_json::parse(read_text(second + "/plan.json"))["cells"] == plan["cells"]);
    CHECK(ordered_json::parse(read_text(second + "/comparison.json"))["cells"].size() == bench["cells"].size());
    CHECK(ordered_json::parse(read_text(first + "/bench.json")) == bench);  // as it was
}

TEST_CASE("scale: --replace replaces what scale has written, and nothing else", "[cli][scale][negative]")
{
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.file("mine"));
    write_text(folder.file("mine/thesis.tex"), "all of it");
    const Outcome outcome = dcube_line("scale --replace " + folder.file("mine"), {.variables = scale_cache(folder)});
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err, Catch::Contains("--replace replaces only a folder that dcube scale has written"));
    CHECK(names_in(folder.file("mine")) == std::vector<std::string>{"thesis.tex"});
}

TEST_CASE("scale: interrupted, it keeps what was measured until then", "[cli][scale][long]")
{
    const TemporaryFolder folder;
    Running running({"scale", folder.file("s"), "--minutes", "0.5"}, {.variables = scale_cache(folder)});
    while (!std::filesystem::exists(folder.file("cache/dcube/limits.json")) && running.alive()) {
    }
    running.send(SIGINT);
    const Outcome outcome = running.finish();
    CHECK(outcome.exit_code == 130);
    CHECK_THAT(outcome.err, Catch::Contains("dcube: interrupted"));
    const std::vector<std::string> left = names_in(folder.file("s"));
    for (const char* const file : {"environment.json", "limits.json", "plan.json"})
        CHECK(std::ranges::find(left, file) != left.end());
    CHECK(folder.names() == std::vector<std::string>{"cache", "s"});
}
