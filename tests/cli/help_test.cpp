// Help and version.

#include "cli/arguments.hpp"
#include "cli/program.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <dcube/version.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

using namespace dcube::test;

TEST_CASE("help: the program and each command explain themselves with examples", "[cli]")
{
    std::vector<std::string> lines{"--help",   "-h",       "run all-to-all --dim x --help", "verify -h", "help",
                                   "help run", "help info"};
    for (const std::string& command : commands_of_dcube())
        lines.push_back(command + " --help");
    for (const std::string& line : lines) {
        CAPTURE(line);
        const Outcome outcome = executed(line);
        CHECK(outcome.exit_code == 0);
        CHECK(outcome.err.empty());
        CHECK_THAT(outcome.out, Catch::Contains("Examples:\n  dcube "));
        for (const std::string& one : lines_of(outcome.out))
            CHECK(one.size() <= 80);
    }
}

TEST_CASE("help: view and its document say what a page shows of a run that it cannot play", "[cli]")
{
    for (std::string text : {executed("view --help").out, read_text(DCUBE_SOURCE_DIR "/docs/command-line.md")}) {
        std::ranges::replace(text, '\n', ' ');  // lines may end anywhere
        CHECK_THAT(text, Catch::Contains("plays at most 1 048 576 transmissions"));
        CHECK_THAT(text, Catch::Contains("of a total exchange in which all nodes do the same, "));
    }
}

namespace {

// Returns how many there are.
std::size_t tried_examples()
{
    const TemporaryFolder folder;
    const std::string trace = folder.file("t.jsonl");
    const std::string bytes = folder.file("bytes");
    const std::string matrix = folder.file("a.npy");
    write_text(bytes, std::string(4096, 'x'));
    REQUIRE(
        executed("run matrix-transpose --dim 2 --rows 8 --columns 8 --tau 1 --beta 9 --output " + matrix).exit_code ==
        0);
    const std::string module = folder.file("m.wasm");  // a page does not look into it
    write_text(module, std::string("\0asm", 4));
    std::size_t tried = 0;
    std::vector<std::string> commands = commands_of_dcube();
    std::erase_if(commands, [](const std::string& one) {
        return one == "bench" || one == "limits" || one == "scale";
    });  // they measure
    commands.emplace_back();
    for (const std::string& command : commands) {
        for (std::string line : lines_of(executed(command + " --help").out)) {
            if (!line.starts_with("  dcube ") || line.find_first_of("<|") != std::string::npos)
                continue;
            line = line.substr(8);
            for (const auto& [name, file] : {std::pair{"LICENSE", std::string(DCUBE_SOURCE_DIR "/LICENSE")},
                                             std::pair{"a.npy", matrix}, std::pair{"gathered", folder.file("gathered")},
                                             std::pair{"--output b", "--output " + folder.file("b")},
                                             std::pair{"--output exchange", "--output " + folder.file("exchange")},
                                             std::pair{"--output gather", "--output " + folder.file("gather")},
                                             std::pair{"--output sums", "--output " + folder.file("sums")}})
                if (const std::size_t at = line.find(name); at != std::string::npos)
                    line.replace(at, std::string(name).size(), file);
            for (const char* const option : {"--html ", "--svg "})
                if (const std::size_t at = line.find(option); at != std::string::npos)
                    line.insert(line.find(' ', at) + 1, folder.file(""));
            if (const std::string own = "own.jsonl"; line.starts_with("verify " + own + " ")) {
                REQUIRE(executed("run" + line.substr(("verify " + own).size()) + " --trace " + folder.file(own))
                            .exit_code == 0);
                line.replace(line.find(own), own.size(), folder.file(own));
            }
            if (const std::size_t at = line.find("t.jsonl"); at != std::string::npos)
                line.replace(at, 7, trace);
            if (line.starts_with("lab") && line.find("--print-request") == std::string::npos) {
                if (line.find("--html ") == std::string::npos)
                    line += " --html " + folder.file("lab.html");
                line += " --module " + module;
            }
            std::erase(line, '"');
            if (const std::size_t at = line.find("total exchange"); at != std::string::npos)
                line.replace(at, 14, "total-exchange");
            CAPTURE(line);
            CHECK(executed(line).exit_code == 0);
            ++tried;
        }
    }
    return tried;
}

}  // namespace

TEST_CASE("help: each example in it works", "[cli][long]")
{
    CHECK(tried_examples() > 25);
}

TEST_CASE("help: all commands fit on a screen of 40 lines", "[cli]")
{
    CHECK(lines_of(executed("help").out).size() <= 40);
}

TEST_CASE("help: the text is as wide as the terminal", "[cli]")
{
    const Outcome narrow = dcube_line("list --help", {.variables = {{"COLUMNS", "50"}}});
    for (const std::string& line : lines_of(narrow.out))
        if (!line.starts_with("  dcube ") && !line.starts_with("Usage: "))  // those stay as they are
            CHECK(line.size() <= 50);
    const Outcome wide = dcube_line("run --help", {.variables = {{"COLUMNS", "120"}}});
    CHECK(lines_of(wide.out).size() <
          lines_of(dcube_line("run --help", {.variables = {{"COLUMNS", "60"}}}).out).size());
    CHECK(executed("help info").out == executed("info --help").out);
    CHECK(executed("help").out == executed("--help").out);
}

TEST_CASE("version: the first line is for scripts, and the others are what a bug report needs", "[cli][tbb]")
{
    const Outcome outcome = executed("--version");
    CHECK(outcome.exit_code == 0);
    const std::vector<std::string> lines = lines_of(outcome.out);
    REQUIRE(lines.size() == 10);
    CHECK(lines[0] == "dcube " + std::string(dcube::version()));
    const std::vector<std::string> rows{"commit", "compiler",     "oneTBB",      "hwloc",       "MPI",
                                        "API",    "command line", "JSON schema", "trace schema"};
    for (std::size_t i = 0; i < rows.size(); ++i)
        CHECK_THAT(lines[i + 1], Catch::StartsWith(rows[i] + " ") && Catch::Matches(".* [^ ].*"));
}

namespace {

// The commands of all files launch.sh, which are their functions run_NAME.
std::vector<std::string> commands_of_launcher()
{
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(DCUBE_SOURCE_DIR)) {
        const std::string path = entry.path();
        if (entry.path().filename() != "launch.sh" || path.starts_with(DCUBE_SOURCE_DIR "/build/"))
            continue;
        for (const std::string& line : lines_of(read_text(path)))
            if (line.starts_with("run_") && line.ends_with("() {"))
                all.push_back(line.substr(4, line.size() - 8));
    }
    for (std::string& name : all)
        std::ranges::replace(name, '_', '-');
    return all;
}

}  // namespace

TEST_CASE("launcher: help, completion and suggestions know its commands, as the program does", "[cli]")
{
    const std::vector<std::string> commands = commands_of_launcher();
    CHECK(commands.size() == dcube::cli::launcher_commands().size() + 1);  // lab is the program's, with a module
    const std::string help = executed("--help").out;
    const std::string others = help.substr(help.find("\nThe script ./dcube "));
    for (const std::string& command : commands) {
        if (command == "lab")
            continue;
        CAPTURE(command);
        CHECK_THAT(others, Catch::Contains(command));
        CHECK_THAT(executed("help " + command).out, Catch::Contains("Usage: dcube " + command));
        CHECK_THAT(dcube_program({"__complete", command.substr(0, 3)}).out, Catch::Contains(command + "\t"));
        const Outcome outcome = executed(command + " --some thing");
        CHECK(outcome.exit_code == 2);
        CHECK_THAT(outcome.err, Catch::EndsWith(": ./dcube " + command + "\n"));
    }
    CHECK_THAT(executed("demoo").err, Catch::Contains("did you mean demo?"));
}
