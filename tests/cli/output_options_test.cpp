// -q, --json and --verbose.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace dcube::test;

namespace {

// A line of each command that does something beside printing; {} is a folder.
const std::map<std::string, std::string> lines_of_commands{
    {"run", "run broadcast --dim 3"},
    {"verify", "verify {}/t.jsonl"},
    {"replay", "replay {}/t.jsonl"},
    {"compare", "compare broadcast --dim 3 --ports one"},
    {"bench", "bench broadcast --dim 2 --min-time 0.001"},
    {"limits", "limits --quick --threads 1 --no-keep"},
    {"scale", "scale --dry-run"},
    {"view", "view broadcast --dim 3 --svg {}/f.svg"},
    {"lab", "lab broadcast --dim 3 --html {}/lab.html --module {}/m.wasm"},
    {"histogram", "histogram --dim 3 --input {}/t.jsonl"},
    {"self-test", "self-test"},
    {"export", "export goal broadcast --dim 3 --output {}/f.goal"},
};

std::string in_folder(std::string line, const TemporaryFolder& folder)
{
    for (std::size_t at = line.find("{}/"); at != std::string::npos; at = line.find("{}/"))
        line.replace(at, 3, folder.file(""));
    return line;
}

void fill(const TemporaryFolder& folder)
{
    REQUIRE(executed("run broadcast --dim 3 --trace " + folder.file("t.jsonl")).exit_code == 0);
    write_text(folder.file("m.wasm"), std::string("\0asm", 4));
}

bool has(const std::string& command, const std::string& option)
{
    const std::vector<HelpedOption> options = options_of(command);
    return std::ranges::any_of(options, [&](const HelpedOption& one) { return one.name == option; });
}

// The first words of a text's rows: "steps", "wall time".
std::vector<std::string> rows_of(const std::string& text)
{
    constexpr std::size_t width = 15;
    std::vector<std::string> labels;
    bool heading = true;
    for (const std::string& line : lines_of(text)) {
        heading = heading && !line.empty();
        if (!heading && line.size() > width && line.front() != ' ' && line.back() != ':')  // "dry run; estimated:"
            labels.push_back(line.substr(0, line.find_last_not_of(' ', width - 1) + 1));
    }
    return labels;
}

using Labels = std::vector<std::string>;

}  // namespace

TEST_CASE("quiet: every command that does more than print has --quiet, and then prints nothing", "[cli][long]")
{
    const TemporaryFolder folder;
    fill(folder);
    for (const std::string& command : commands_of_dcube()) {
        CAPTURE(command);
        CHECK(has(command, "--quiet") == lines_of_commands.contains(command));
        if (!lines_of_commands.contains(command)) {
            check_refused(command + " -q", "'-q' is not an option of " + command);
            continue;
        }
        const std::string line = in_folder(lines_of_commands.at(command), folder);
        for (const char* const option : {" -q", " --quiet"}) {
            const Outcome outcome = executed(line + option);
            CHECK(outcome.exit_code == 0);
            CHECK(outcome.out.empty());
            CHECK(outcome.err.empty());
        }
        const Outcome loud = executed(line);  // the one before says nothing of the next
        CHECK_FALSE((loud.out + loud.err).empty());
    }
}

TEST_CASE("quiet: files are written, warnings are left out, and errors are printed", "[cli]")
{
    const TemporaryFolder folder;
    const std::string trace = folder.file("t.jsonl");
    CHECK(executed("run scatter --dim 2 -q --trace " + trace).out.empty());
    CHECK(lines_of(read_text(trace)).size() == 5);

    write_text(folder.file("odd"), "seven b");
    const std::string odd = "run scatter --dim 2 --input " + folder.file("odd");
    CHECK_THAT(executed(odd).err, Catch::Contains("padded"));
    CHECK(executed(odd + " -q").err.empty());
    CHECK(executed("run all-to-all --dim 2:3 --algorithm staircase,homogeneous -q").err.empty());

    write_text(trace, read_text(trace).substr(0, read_text(trace).size() / 2));
    const Outcome wrong = executed("verify -q " + trace);
    CHECK(wrong.exit_code != 0);
    CHECK(wrong.out.empty());
    CHECK(lines_of(wrong.err).size() == 1);
    check_refused("run all-to-all --dim x -q", "--dim x is not a whole number");
    const Outcome lost = executed("run broadcast --dim 3 --fail-link 0-1@1 -q");
    CHECK(lost.exit_code == 1);
    CHECK(lost.out.empty());
    CHECK(lines_of(lost.err).size() == 1);
}

TEST_CASE("json: --json means --format json, for every command that has it", "[cli]")
{
    const TemporaryFolder folder;
    fill(folder);
    for (const std::string& command : commands_of_dcube()) {
        CAPTURE(command);
        const bool known = executed("__complete " + command + " --format j").out.find("json") != std::string::npos;
        CHECK(has(command, "--json") == known);
    }
    for (const char* const line : {"info --dim 3", "list", "list fields", "verify {}/t.jsonl"})
        CHECK(executed(in_folder(line, folder) + " --json").out ==
              executed(in_folder(line, folder) + " --format json").out);
    for (const char* const line : {"run broadcast --dim 3", "replay {}/t.jsonl", "compare broadcast --dim 2",
                                   "histogram --dim 2 --input {}/t.jsonl"}) {
        const Outcome outcome = executed(in_folder(line, folder) + " --json");
        CHECK(keys_of(nlohmann::ordered_json::parse(outcome.out)) == keys_of(json_of(in_folder(line, folder))));
    }
}

TEST_CASE("output options: those that contradict each other are refused", "[cli][negative]")
{
    check_refused("run broadcast --dim 2 --json --format csv", "--format and --json cannot be used together");
    check_refused("run broadcast --dim 2 --format json --json", "--format and --json cannot be used together");
    check_refused("run broadcast --dim 2 --json --json", "--json is given more than once");
    check_refused("run broadcast --dim 2 --json=1", "--json takes no value");
    check_refused("run broadcast --dim 2 -q -q", "--quiet is given more than once");
    check_refused("run broadcast --dim 2 -q=1", "--quiet takes no value");
    check_refused("run broadcast --dim 2 -q --verbose", "--verbose and --quiet cannot be used together");
    check_refused("run broadcast --dim 2 -q --json", "--json and --quiet cannot be used together");
    check_refused("run broadcast --dim 2 --format text -q", "--format and --quiet cannot be used together");
    check_refused("run broadcast --dim 2 -q --explain", "--explain and --quiet cannot be used together");
    check_refused("run broadcast --dim 2 -q --trace-format table", "with --quiet it needs --trace FILE");
    check_refused("run broadcast --dim 2 --verbose --json", "--json and --verbose cannot be used together");
    check_refused("run broadcast --dim 2:3 --verbose", "--verbose is for the report of one run");
    check_refused("verify t.jsonl --verbose --format json", "--format and --verbose cannot be used together");
    check_refused("view broadcast --dim 2 -q", "--quiet needs a file to write");
    check_refused("lab broadcast --dim 2 -q --print-request", "--print-request and --quiet cannot be used together");
    check_refused("bench broadcast --dim 2 --json --format nccl", "--format and --json cannot be used together");
    check_refused("list --verbose", "'--verbose' is not an option of list");
}

TEST_CASE("verbose: without it a report has the six rows that a newcomer needs", "[cli]")
{
    const Labels counted{"steps", "transmissions", "link use", "verified", "wall time", "speed"};
    const Labels timed{"virtual time", "lower bound", "packets", "verified", "wall time", "speed"};
    const auto labels = [](const std::string& line) { return rows_of(executed(line).out); };
    CHECK(labels("run all-to-all --dim 3") == counted);
    CHECK(labels("run all-to-all --dim 3 --color always") == counted);
    CHECK(labels("run broadcast --dim 3 --tau 1 --beta 10") == timed);
    CHECK(labels("run all-gather --dim 3 --ports one") == counted);
    CHECK(labels("run all-reduce --dim 3") ==
          Labels{"steps", "transmissions", "link use", "verified", "sums", "wall time", "speed"});
    CHECK(labels("run all-to-all --dim 3 --verbose") == Labels{"steps", "transmissions", "link use", "buffers",
                                                               "in transit", "verified", "wall time", "speed",
                                                               "peak memory", "digest"});
    CHECK(labels("run broadcast --dim 3 --tau 1 --beta 10 --verbose") ==
          Labels{"links", "virtual time", "lower bound", "packets", "link use", "buffers", "verified", "wall time",
                 "speed", "peak memory", "digest"});
    CHECK(labels("run broadcast --dim 4 --algorithm independent-trees --fail-link 0-1@1") ==
          Labels{"steps", "transmissions", "lost", "link use", "verified", "wall time", "speed"});
    CHECK(labels("run all-to-all --dim 3 --dry-run") == Labels{"steps", "transmissions", "memory", "wall time"});
    CHECK(labels("run all-to-all --dim 3 --dry-run --verbose") ==
          Labels{"steps", "transmissions", "link bytes", "memory", "wall time"});
}

TEST_CASE("verbose: a report gives the reasons for the lower bounds", "[cli]")
{
    const auto out = [](const std::string& line) { return executed(line).out; };
    CHECK_THAT(out("run all-to-all --dim 3"), Catch::Contains("steps          4 (optimal)\n"));
    CHECK_THAT(out("run all-to-all --dim 3 --verbose"), Catch::Contains("steps          4 (optimal: "));
    CHECK_THAT(out("run all-reduce --dim 6 --packets 17"), Catch::Contains("9 (lower bound 8)\n"));
    CHECK_THAT(out("run all-reduce --dim 6 --packets 17 --verbose"), Catch::Contains("9 (lower bound 8: "));
    CHECK_THAT(out("run broadcast --dim 3 --tau 1 --beta 10"), Catch::Contains("33 ns, 2.545 times the bound\n"));
    CHECK_THAT(out("run broadcast --dim 3 --tau 1 --beta 10 --verbose"),
               Catch::Contains("33 ns, 2.545 times the bound: "));
    CHECK_THAT(out("run all-to-all --dim 3 --color always"), Catch::Contains("(\033[32moptimal\033[0m)"));

    const TemporaryFolder folder;
    const std::string trace = folder.file("t.jsonl");
    REQUIRE(executed("run all-to-all --dim 2 --trace " + trace).exit_code == 0);
    CHECK(rows_of(out("verify " + trace)) == Labels{"steps", "transmissions", "best known", "verdict"});
    CHECK(rows_of(out("verify --verbose " + trace)) ==
          Labels{"steps", "transmissions", "best known", "link bytes", "verdict"});
    CHECK(rows_of(out("replay " + trace)) ==
          Labels{"steps", "transmissions", "link use", "verified", "wall time", "speed", "best known"});
    CHECK_THAT(out("replay --verbose " + trace), Catch::Contains("digest ") && Catch::Contains("best known "));
}
