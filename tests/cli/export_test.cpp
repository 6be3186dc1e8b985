// dcube export, as a user runs it.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <nlohmann/json.hpp>

#include <regex>
#include <string>

using namespace dcube::test;

TEST_CASE("export: every format is written, and its size is announced before", "[cli][export]")
{
    const TemporaryFolder folder;
    for (const auto& [format, begin] : {std::pair{"goal", "// {\"dcube_trace\""},
                                        std::pair{"chrome", "{\"displayTimeUnit\""}, std::pair{"msccl", "<algo "}}) {
        const std::string file = folder.file(format);
        const Outcome outcome = dcube_program({"export", format, "all-to-all", "--dim", "3", "--output", file});
        CAPTURE(format, outcome.err);
        CHECK(outcome.exit_code == 0);
        CHECK(outcome.out.empty());
        const std::string text = read_text(file);
        CHECK(text.starts_with(begin));
        std::smatch said;
        REQUIRE(std::regex_search(outcome.err, said, std::regex("writing ([0-9 ]+) bytes to ")));
        CHECK(std::stoull(std::regex_replace(said[1].str(), std::regex(" "), "")) == text.size());
    }
}

TEST_CASE("export: the flags of the simulator are printed, and stand in the file", "[cli][export]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("f.goal");
    const Outcome outcome = executed("export goal broadcast --dim 3 --tau 2 --beta 6 --output " + file);
    CHECK(outcome.exit_code == 0);
    for (const std::string& text : {outcome.err, read_text(file)})
        CHECK_THAT(text, Catch::Contains("LogGOPSim -f FILE.bin -L 4 -g 4 -G 1 -o 0 -O 0 -S 2000000000"));
}

TEST_CASE("export: a file whose name ends in .gz is compressed", "[cli][export]")
{
    const TemporaryFolder folder;
    const std::string plain = folder.file("t.json");
    const std::string named = folder.file("t.json.gz");
    REQUIRE(executed("export chrome all-gather --dim 4 --output " + plain).exit_code == 0);
    REQUIRE(executed("export chrome all-gather --dim 4 --output " + named).exit_code == 0);
    const Start gunzip{.program = {"gzip"}};
    CHECK(dcube_program({"-dc", named}, gunzip).out == read_text(plain));
    CHECK(read_text(named).size() < read_text(plain).size() / 4);
}

TEST_CASE("export: events that are left out are reported", "[cli][export]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("t.json");
    const Outcome outcome = executed("export chrome all-to-all --dim 4 --events 300 --output " + file);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.err, Catch::Contains("left out"));
    CHECK(nlohmann::json::parse(read_text(file))["traceEvents"].size() <= 300);
}

TEST_CASE("export: a wrong command line is refused in one line, and leaves no file", "[cli][export][negative]")
{
    const TemporaryFolder folder;
    const std::string to = " --output " + folder.file("f");
    check_refused("export", "a format is missing: expected goal, chrome or msccl");
    check_refused("export vcd all-to-all --dim 3" + to, "'vcd' is not a format");
    check_refused("export goal all-to-all --dim 3", "--output is missing");
    check_refused("export goal all-to-all --dim 3 --output -", "--output '-' is not a file's name");
    check_refused("export goal --dim 3" + to, "COLLECTIVE is missing");
    check_refused("export goal all-to-all" + to, "--dim is missing");
    check_refused("export goal all-to-all --dim 3 --events 5" + to, "--events is for chrome");
    check_refused("export chrome all-to-all --dim 3 --events 0" + to, "--events");
    check_refused("export chrome all-to-all --dim 3 --events 20" + to, "20 events are too few");
    check_refused("export msccl gather --dim 3" + to, "MSCCL does not support gather");
    check_refused("export goal broadcast --topology complete:300" + to, "GOAL cannot express complete:300");
    check_refused("export goal all-to-all --dim 3 --output /no/such/folder/f", "cannot write '/no/such/folder/f'");
    check_refused("export goal all-to-all --dim 3 --algorithm nonsense" + to, "nonsense");
    CHECK(folder.names().empty());
}
