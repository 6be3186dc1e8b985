// --plan-cache, and planning that is seen and interrupted at a terminal.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/process.hpp"

#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

using namespace dcube::test;
using test_support::contains;

namespace {

// A ring of `nodes` nodes with a chord at every third, as the text of a graph file.
std::string ring_with_chords(unsigned nodes)
{
    std::string edges;
    for (unsigned node = 0; node < nodes; ++node) {
        edges += fmt::format("{} {}\n", node, (node + 1) % nodes);
        if (node % 3 == 0)
            edges += fmt::format("{} {}\n", node, (node + nodes / 2 + 2) % nodes);
    }
    return edges;
}

// The line of a report that is the same in all runs.
std::string steps_line(const std::string& report)
{
    for (const std::string& line : lines_of(report))
        if (line.starts_with("steps"))
            return line;
    return {};
}

}  // namespace

TEST_CASE("plan cache: a second process reads what the first has planned, and says the same", "[cli][long]")
{
    const TemporaryFolder folder;
    write_text(folder.file("network"), ring_with_chords(60));
    const std::string plans = folder.file("plans");
    const std::vector<std::string> line{"run",          "all-to-all", "--topology", "graph:" + folder.file("network"),
                                        "--plan-cache", plans};
    const Outcome first = dcube_program(line);
    REQUIRE(first.exit_code == 0);
    CHECK(first.err.empty());
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(plans))
        files.push_back(entry.path());
    REQUIRE(!files.empty());

    const Outcome second = dcube_program(line);
    CHECK(second.exit_code == 0);
    CHECK(second.err.empty());
    CHECK(steps_line(second.out) == steps_line(first.out));

    for (const std::string& file : files) {  // the warning shows that each of them is read
        const std::string whole = read_text(file);
        write_text(file, whole.substr(0, whole.size() / 2));
        const Outcome third = dcube_program(line);
        CHECK(third.exit_code == 0);
        CHECK(third.err ==
              fmt::format("dcube: warning: the plan in '{}' is rebuilt: its size differs from its header\n", file));
        CHECK(steps_line(third.out) == steps_line(first.out));
        CHECK(read_text(file) == whole);
    }
}

TEST_CASE("plan cache: plans that other commands make are kept too", "[cli][long]")
{
    const TemporaryFolder folder;
    write_text(folder.file("network"), ring_with_chords(60));
    const std::string network = "graph:" + folder.file("network");
    const auto files_after = [&](std::vector<std::string> line, const std::string& name) {
        line.insert(line.end(), {"--topology", network, "--plan-cache", folder.file(name)});
        const Outcome outcome = dcube_program(line);
        CAPTURE(line.front(), outcome.err);
        CHECK(outcome.exit_code == 0);
        const std::filesystem::directory_iterator all(folder.file(name));
        return std::distance(begin(all), end(all));
    };
    CHECK(files_after({"explain", "all-to-all"}, "explain") > 0);
    CHECK(files_after({"bench", "all-to-all", "--dry-run"}, "bench") > 0);
}

TEST_CASE("plan cache: a folder that cannot be used is complained of before anything is run", "[cli]")
{
    const TemporaryFolder folder;
    write_text(folder.file("text"), "x");
    const auto complaint = [&](const std::string& command, const std::string& path) {
        const Outcome outcome = dcube_line(command + " --plan-cache " + path);
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.out.empty());
        return outcome.err;
    };
    const std::string text = folder.file("text");
    for (const char* const command :
         {"run scatter --dim 3", "run scatter --dim 2:4 --dry-run", "compare scatter --dim 3", "info --dim 3",
          "bench scatter --dim 3", "explain status", "view scatter --dim 3",
          "export goal scatter --dim 3 --output /dev/null"}) {
        CAPTURE(command);
        CHECK(complaint(command, text) == "dcube: plans cannot be kept in '" + text + "': Not a directory\n");
    }
    CHECK(complaint("run scatter --dim 3", text + "/x") ==
          "dcube: plans cannot be kept in '" + text + "/x': Not a directory\n");
    CHECK(complaint("run scatter --dim 3", "''") == "dcube: --plan-cache '' is not a folder's name\n");
    CHECK(contains(complaint("run scatter --dim 3", "/proc"), "plans cannot be kept in '/proc': "));
    CHECK(contains(complaint("run scatter --dim 3 --plan-cache " + text, text), "--plan-cache"));  // twice
}

TEST_CASE("planning: a signal ends it, and leaves whole plans only", "[cli]")
{
    const TemporaryFolder folder;
    write_text(folder.file("network"), ring_with_chords(210));
    const std::string plans = folder.file("plans");
    const auto has_a_plan = [&] {
        std::error_code error;
        for (const auto& entry : std::filesystem::directory_iterator(plans, error))
            if (entry.path().extension() == ".plan")
                return true;
        return false;
    };
    Running run({"run", "all-to-all", "--topology", "graph:" + folder.file("network"), "--output", folder.file("out"),
                 "--plan-cache", plans});
    while (!has_a_plan() && run.alive())  // then the program waits for signals, and has more to plan
        std::this_thread::yield();
    run.send(SIGTERM);
    const Outcome outcome = run.finish();
    CHECK(outcome.exit_code == 130);
    CHECK(outcome.out.empty());
    CHECK(outcome.err == "dcube: interrupted\n");
    CHECK(folder.names() == std::vector<std::string>{"network", "plans"});
    for (const auto& entry : std::filesystem::directory_iterator(plans))
        CHECK(entry.path().extension() == ".plan");
}
