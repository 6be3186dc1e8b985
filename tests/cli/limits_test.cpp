// dcube limits, and the share of them that dcube run reports.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <regex>
#include <string>
#include <thread>
#include <vector>

using namespace dcube::test;
using nlohmann::ordered_json;

namespace {

Variables cache_in(const TemporaryFolder& folder)
{
    return {{"XDG_CACHE_HOME", folder.file("cache")}};
}

ordered_json run_record(const Variables& variables, const std::string& line)
{
    const Outcome outcome = dcube_line(line + " --format json", {.variables = variables});
    REQUIRE(outcome.exit_code == 0);
    return ordered_json::parse(outcome.out);
}

// The text without the ends of its lines, which stand where a screen ends.
std::string unwrapped(const std::string& text)
{
    return std::regex_replace(text, std::regex("\\s+"), " ");
}

}  // namespace

TEST_CASE("limits: measured limits are printed, written and kept, and a run reports its share of them",
          "[cli][limits][long][tbb]")
{
    const TemporaryFolder folder;
    const Variables variables = cache_in(folder);
    const std::string run = "run all-to-all --dim 5 --bytes 64 --threads 1";
    const ordered_json before = run_record(variables, run);
    for (const char* const key : {"limit_seconds", "limit_binds", "share_of_limit"})
        CHECK(before[key].is_null());
    CHECK_THAT(unwrapped(dcube_line(run + " --verbose", {.variables = variables}).out),
               Catch::Contains("run dcube limits once"));

    const std::string file = folder.file("limits.json");
    const Outcome outcome = dcube_line("limits --quick --threads 1 --output " + file, {.variables = variables});
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.err, Catch::Contains("limits kept in " + folder.file("cache/dcube/limits.json")));
    for (const char* const part :
         {"limits of this machine: ", "working set  1 thread  best", "scattered blocks, 1 thread", "the barrier  ",
          "a packet through a channel", "memory that"})
        CHECK_THAT(outcome.out, Catch::Contains(part));
    CHECK_THAT(outcome.out, (Catch::Contains("a cache line that two processors write in turn") &&
                             Catch::Contains("cache lines that another processor has just written")) ||
                                Catch::Contains("cache-line transfer: not measured"));

    for (const std::string& line : lines_of(outcome.out))
        CHECK(line.size() <= 80);

    const std::string written = read_text(file);
    CHECK(written == read_text(folder.file("cache/dcube/limits.json")));
    const ordered_json document = ordered_json::parse(written);
    CHECK(document["kind"] == "limits");
    CHECK(document["command"] == "dcube limits --quick --threads 1 --output " + file);
    CHECK(document["limits"]["threads"].size() == 1);

    const ordered_json after = run_record(variables, run);
    CHECK(after["limit_seconds"].get<double>() > 0);
    CHECK(after["share_of_limit"].get<double>() ==
          Approx(after["limit_seconds"].get<double>() / after["wall_seconds"].get<double>()));
    CHECK((after["limit_binds"] == "scattered 64-byte copies" || after["limit_binds"] == "steps"));
    const ordered_json pinned = run_record(variables, run + " --pin compact");
    CHECK(pinned["limit_seconds"].is_null());
    CHECK(pinned["pin"] == "compact");
    CHECK_THAT(unwrapped(dcube_line(run + " --pin compact --verbose", {.variables = variables}).out),
               Catch::Contains("run dcube limits --pin compact once"));
    const std::string text = unwrapped(dcube_line(run + " --verbose", {.variables = variables}).out);
    CHECK_THAT(text, Catch::Contains("% of") && Catch::Contains("with 1 thread") && !Catch::Contains("memcpy"));
}

TEST_CASE("limits: a kept file that is broken or of another build is ignored", "[cli][limits]")
{
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.file("cache/dcube"));
    for (const char* const text : {"", "{", "[]", R"({"schema": 1, "kind": "limits"})", R"({"kind": "benchmark"})"}) {
        CAPTURE(text);
        write_text(folder.file("cache/dcube/limits.json"), text);
        const Outcome outcome = dcube_line("run scatter --dim 3 --verbose", {.variables = cache_in(folder)});
        CHECK(outcome.exit_code == 0);
        CHECK(outcome.err.empty());
        CHECK_THAT(unwrapped(outcome.out), Catch::Contains("run dcube limits once"));
    }
}

TEST_CASE("limits: JSON and CSV have every figure, and limits that cannot be kept are a warning only",
          "[cli][limits][slow][tbb]")
{
    const TemporaryFolder folder;
    const Outcome document =
        dcube_line("limits --quick --threads 1 --no-keep --format json", {.variables = cache_in(folder)});
    CHECK(document.exit_code == 0);
    CHECK(folder.names().empty());
    const ordered_json one = ordered_json::parse(document.out)["limits"]["threads"][0];
    CHECK(one["copies"].size() >= 4);
    CHECK(one["empty_step_seconds"].size() == 2);

    const Outcome csv = dcube_line("limits --quick --threads 1 --format csv --pin compact",
                                   {.variables = {{"XDG_CACHE_HOME", "/dev/null"}}});
    CHECK(csv.exit_code == 0);
    CHECK_THAT(csv.err, Catch::Contains("limits not kept: cannot write '/dev/null/dcube/limits.json'"));
    const std::vector<std::string> lines = lines_of(csv.out);
    REQUIRE(lines.size() > 10);
    CHECK(lines.front() == "figure,threads,working_set_bytes,block_bytes,nodes,processor,other_processor,value,unit");
    for (const std::string& line : lines)
        CHECK(std::ranges::count(line, ',') == 8);
}

TEST_CASE("limits: files are written and kept although standard output cannot be written", "[cli][limits][long]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("limits.json");
    const Outcome outcome = dcube_line("limits --quick --threads 1 --output " + file,
                                       {.variables = cache_in(folder), .out_file = "/dev/full"});
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err, Catch::Contains("cannot write to standard output"));
    CHECK(ordered_json::parse(read_text(file))["kind"] == "limits");
    CHECK(read_text(folder.file("cache/dcube/limits.json")) == read_text(file));
}

TEST_CASE("limits: a file does not take the place of a closed standard stream", "[cli][limits][long]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("l\xff.json");
    const auto with_closed = [&](const std::string& closed) {
        return Start{.variables = cache_in(folder),
                     .program = {"sh", "-c", "exec \"$0\" \"$@\" " + closed, DCUBE_PROGRAM}};
    };
    CHECK(dcube_line("limits --quick --threads 1 --no-keep --output " + file, with_closed("2>&-")).exit_code == 0);
    const ordered_json document = ordered_json::parse(read_text(file));
    CHECK_THAT(document["command"].get<std::string>(), Catch::Contains("l\xEF\xBF\xBD.json"));  // JSON is UTF-8
    CHECK(dcube_line("list", with_closed(">&-")).exit_code == 2);
}

TEST_CASE("limits: an interrupted measurement leaves nothing behind", "[cli][limits]")
{
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.file("out"));
    Running limits({"limits", "--output", folder.file("out/limits.json")}, {.variables = cache_in(folder)});
    while (!folder.in_use() && limits.alive())
        std::this_thread::yield();  // until the output shows that they have begun
    limits.send(SIGINT);
    const Outcome outcome = limits.finish();
    CHECK(outcome.exit_code == 130);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Catch::Contains("dcube: interrupted\n"));
    CHECK(std::filesystem::is_empty(folder.file("out")));
    CHECK_FALSE(std::filesystem::exists(folder.file("cache")));
}

TEST_CASE("limits: wrong arguments are refused in one line", "[cli][limits][negative]")
{
    const auto refused = [](const std::string& arguments, const std::string& complaint) {
        check_refused("limits " + arguments, complaint);
    };
    refused("--threads", "--threads needs a value");
    refused("--threads --quick", "--threads needs a value, but --quick follows");
    refused("--threads 0", "--threads 0 is too small: 1 to ");
    refused("--threads -1", "--threads -1 is too small");
    refused("--threads 1,0", "--threads 0 is too small");
    refused("--threads 5000", "--threads 5000 is too large");
    refused("--threads 99999999999999999999", "is too large");
    refused("--threads two", "--threads two is not a whole number");
    refused("--threads 1.5", "--threads 1.5 is not a whole number");
    refused("--threads ''", "--threads '' is not a whole number");
    refused("--threads 1,", "--threads '' is not a whole number");
    refused("--threads 2:1", "--threads");
    refused("--threads 1 --threads 1", "--threads is given more than once");
    refused("--quick=maybe", "--quick takes no value");
    refused("--quick --quick", "--quick is given more than once");
    refused("--pin", "--pin needs a value");
    refused("--pin tight", "--pin: 'tight' is not");
    refused("--format markdown", "--format: 'markdown' is not a format of limits: expected one of text, json, csv");
    refused("--format", "--format needs a value");
    refused("--output", "--output needs a value");
    refused("--output ''", "--output '' is not a file's name");
    refused("--output -", "--output - is not allowed: standard output carries the limits");
    refused("--output /nowhere/limits.json", "cannot write '/nowhere/limits.json'");
    refused("--output /", "cannot write '/'");
    refused("--no-keep=maybe", "--no-keep takes no value");
    refused("--keep", "'--keep' is not an option of limits");
    refused("--dim 3", "'--dim' is not an option of limits");
    refused("--threds 2", "did you mean --threads");
    refused("all-to-all", "unexpected argument");
}
