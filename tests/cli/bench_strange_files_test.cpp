// Files that dcube bench did not write, or not in this way.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <nlohmann/json.hpp>

#include <string>

using namespace dcube::test;
using nlohmann::ordered_json;

namespace {

ordered_json least_benchmark()
{
    return json_of("bench all-to-all --dim 1 --threads 1 --min-time 0.0001 --samples 1");
}

}  // namespace

TEST_CASE("bench: control characters in a file do not reach the terminal", "[cli][bench]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("strange.json");
    ordered_json document = least_benchmark();
    write_text(folder.file("plain.json"), document.dump());
    for (const char* const key : {"topology", "algorithm", "pin"})
        document["cells"][0][key] = "a\nb\x1b[2J";
    document["program"]["compiler"] = "\x1b]0;c\x07";
    document["warnings"] = {"w\x1b[2J"};
    document["date"] = "d\x1b[2J";
    write_text(file, document.dump());
    for (const std::string& line : {"--read " + file, "--read " + file + " --format nccl",
                                    "--read " + folder.file("plain.json") + " --against " + file}) {
        CAPTURE(line);
        const Outcome outcome = executed("bench " + line);
        CHECK(outcome.exit_code == 0);
        CHECK_THAT(outcome.out, Catch::Contains("a\xEF\xBF\xBD"
                                                "b\xEF\xBF\xBD[2J"));
        CHECK(outcome.out.find_first_of("\x1b\x07") == std::string::npos);
    }
}
