// A stranger's schedule, in as few words as it takes, through every command; and algorithms from files.

#include "tests/cli/traces.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>

using namespace dcube::test;
using nlohmann::json;

namespace {

constexpr const char* broadcast_header =
    R"({"dcube_trace":1,"collective":"broadcast","topology":"hypercube:2","bytes":64})"
    "\n";
constexpr const char* broadcast_lines = R"({"step":1,"from":0,"to":1,"pieces":[{"origin":0}]}
{"step":2,"from":0,"port":1,"pieces":[{"offset":0,"length":64}]}
{"step":2,"from":1,"to":3,"pieces":[{}]}
)";

}  // namespace

TEST_CASE("schedules: four short lines are taken by every command that reads traces, or runs algorithms", "[cli]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("mine.jsonl");
    write_text(file, std::string(broadcast_header) + broadcast_lines);
    for (const std::string& line :
         {"verify " + file, "replay " + file, "view --trace " + file, "run broadcast --dim 2 --algorithm @" + file,
          "run broadcast --dim 2 --tau 1 --beta 5 --algorithm @" + file,
          "run broadcast --dim 2 --dry-run --algorithm @" + file,
          "run broadcast --dim 2 --threads 1,2 --algorithm optimal,@" + file,
          "compare broadcast --dim 2 --algorithm @" + file,
          "bench broadcast --dim 2 --min-time 0.001 --algorithm @" + file,
          "view broadcast --dim 2 --algorithm @" + file,
          "view broadcast --dim 2 --versus @" + file + " --html " + folder.file("a.html"), "explain @" + file,
          "export goal broadcast --dim 2 --output " + folder.file("goal") + " --algorithm @" + file}) {
        const Outcome outcome = executed(line);
        CAPTURE(line, outcome.err);
        CHECK(outcome.exit_code == 0);
    }
    const json report = json::parse(executed("run broadcast --dim 2 --format json --algorithm @" + file).out);
    CHECK(report["algorithm"] == "@" + file);
    CHECK(report["steps"] == 2);
    CHECK(report["transmissions"] == 3);
    CHECK(report["verified"] == true);
    CHECK_THAT(executed("explain @" + file).out, Catch::Contains("0->2:0 1->3:0"));
    const Outcome compared = executed("compare broadcast --dim 2 --algorithm all,@" + file);
    CHECK_THAT(compared.out, Catch::Contains("pipelined-trees") && Catch::Contains("@" + file));
}

TEST_CASE("schedules: a file without a first line is judged by the problem of the command line", "[cli]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("mine.jsonl");
    std::string lines = broadcast_lines;
    lines.replace(lines.find(R"("offset":0,"length":64)"), 22, "");
    write_text(file, lines);
    for (const std::string problem :
         {"--dim 2", "--dim 2 --bytes 7", "--topology ring:4 --bytes 100", "--dim 2 --packets 1"}) {
        CAPTURE(problem);
        const bool is_ring = problem.find("ring") != std::string::npos;  // whose node 1 has no link to 3
        CHECK(executed("run broadcast " + problem + " --algorithm @" + file).exit_code == (is_ring ? 2 : 0));
        CHECK(executed("verify " + file + " broadcast " + problem).exit_code == (is_ring ? 1 : 0));
    }
}

TEST_CASE("schedules: what a file cannot do is refused with the file and its line", "[cli][negative]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("mine.jsonl");
    const std::string twice = R"({"step":2,"from":1,"to":3,"pieces":[{}]})";
    write_text(file, std::string(broadcast_header) + broadcast_lines);
    write_text(folder.file("bad"), std::string(broadcast_header) + broadcast_lines + twice + "\n");
    for (const auto& [line, told] :
         {std::pair{"run broadcast --dim 3 --algorithm @" + file, "its header says that it is for hypercube:2"},
          {"run gather --dim 2 --algorithm @" + file, "its header says that it is of broadcast"},
          {"run broadcast --dim 2 --bytes 32 --algorithm @" + file, "it is of another problem: 1 packet of 64 bytes"},
          {"run broadcast --dim 2 --algorithm @" + folder.file("none"), "none: it cannot be read"},
          {"run broadcast --dim 2 --algorithm @" + folder.file("bad"),
           "bad: line 5: a second packet from node 1 over port 1"},
          {"bench broadcast --dim 2 --algorithm @" + folder.file("bad"), "bad: line 5: a second packet"},
          {"compare broadcast --dim 2 --algorithm @" + folder.file("bad"), "bad: line 5: a second packet"},
          {"explain @" + folder.file("none"), "cannot read"}}) {
        const Outcome outcome = executed(line);
        CAPTURE(line, outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK(lines_of(outcome.err).size() == 1);
        CHECK_THAT(outcome.err, Catch::Contains(told));
    }
    const Outcome verified = executed("verify " + folder.file("bad"));
    CHECK(verified.exit_code == 1);
    CHECK(verified.err ==
          "dcube: " + folder.file("bad") + ": line 5: a second packet from node 1 over port 1 in step 2\n");
}

TEST_CASE("schedules: on links that take time a file without times is judged by its steps", "[cli]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("mine.jsonl");
    std::string header = broadcast_header;
    header.insert(header.rfind('}'), R"(,"link_model":"link-bound","tau_ns_per_byte":1,"beta_ns":5)");
    write_text(file, header + broadcast_lines);
    const Outcome verified = executed("verify " + file);
    CAPTURE(verified.err);
    CHECK(verified.exit_code == 0);
    CHECK_THAT(verified.out, Catch::Contains("virtual time   not in the trace"));
    CHECK(json::parse(executed("verify " + file + " --format json").out)["virtual_time_ns"].is_null());
    CHECK(executed("view --trace " + file).exit_code == 0);
    CHECK_THAT(executed("replay " + file).out, Catch::Contains("virtual time   138 ns"));
}

TEST_CASE("run: a failure is reported as JSON if JSON was asked for", "[cli][negative]")
{
    const Outcome lost = executed("run broadcast --packets 4 --dim 3 --fail-link 0-1@2 --format json");
    CHECK(lost.exit_code == 1);
    const json record = json::parse(lost.out);
    CHECK(record["verified"] == false);
    CHECK(record["rule"] == "packet-lost");
    CHECK(record["step"].is_number());
    CHECK(record["node"].is_number());
    CHECK(record["port"].is_number());
    CHECK(record["collective"] == "broadcast");
    CHECK(record["failing"] == json::array({"0-1@2"}));
    CHECK("dcube: " + record["error"].get<std::string>() + "\n" == lost.err);
    const Outcome unusable = executed("run broadcast --dim 30 --format json");
    CHECK(unusable.exit_code == 2);
    CHECK(unusable.out.empty());
}
