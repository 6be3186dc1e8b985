// dcube replay: traces and strangers' schedules are run, verified and compared; wrong files give one clear line.

#include "tests/cli/traces.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <nlohmann/json.hpp>

#include <string>

using namespace dcube::test;
using nlohmann::ordered_json;

namespace {

// A broadcast on the square, as a stranger writes it.
const std::string own = R"({"step":1,"from":0,"to":1,"pieces":[{"origin":0}]}
{"step":2,"from":0,"port":1,"pieces":[{"offset":0,"length":32},{"offset":32}]}
{"step":2,"from":1,"to":3,"pieces":[{}]}
)";

ordered_json replayed(const std::string& options, const std::string& file)
{
    const Outcome outcome = dcube_line("replay - " + options + " --format json", {.input = file});
    CAPTURE(options, file, outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    return ordered_json::parse(outcome.out);
}

// The file is refused in one line that says this.
void check_wrong(const std::string& options, const std::string& file, int exit_code, const std::string& says)
{
    const Outcome outcome = dcube_line("replay - " + options, {.input = file});
    CAPTURE(options, file.substr(0, 500), outcome.err);
    CHECK(outcome.exit_code == exit_code);
    CHECK(outcome.out.empty());
    CHECK(lines_of(outcome.err).size() == 1);
    CHECK_THAT(outcome.err, Catch::Contains(says));
}

}  // namespace

TEST_CASE("replay: a trace gives the counts, times and digest of its run", "[cli]")
{
    for (const char* const problem :
         {"all-to-all --dim 3", "all-gather --dim 3 --packets 3 --ports one", "reduce --dim 3 --root 5 --type int16",
          "all-reduce --dim 3 --packets 9 --operation max", "reduce-scatter --topology torus:3x3",
          "permute --dim 3 --permutation shuffle --tau 1 --beta 9",
          "exchange --dim 3 --peer 6 --bytes 50 --tau 5/2 --beta 7",
          "matrix-transpose --dim 2 --rows 8 --columns 4 --type int16 --tau 1 --beta 9",
          "broadcast --dim 3 --bytes 50 --tau 1 --beta 9 --clock lockstep", "gather --dim 0"}) {
        const TemporaryFolder folder;
        const std::string trace = folder.file("t");
        const ordered_json first = json_of(std::string("run ") + problem + " --trace " + trace);
        const ordered_json second = json_of("replay " + trace + " --trace " + folder.file("again"));
        CAPTURE(problem);
        for (const char* const key : {"steps", "transmissions", "link_bytes", "virtual_time_ns", "result_digest",
                                      "blocks_verified", "steps_lower_bound", "busiest_link"})
            CHECK(first[key] == second[key]);
        CHECK(second["verified"] == true);
        CHECK(second["algorithm"] == trace);
        CHECK(without_header(read_text(trace)) == without_header(read_text(folder.file("again"))));
    }
}

TEST_CASE("replay: a stranger's schedule says only what is needed, and is compared with the best", "[cli]")
{
    const ordered_json report = replayed("broadcast --dim 2", own);
    CHECK(report["steps"] == 2);
    CHECK(report["transmissions"] == 3);
    CHECK(report["origin"] == "own");
    CHECK(report["verified"] == true);
    CHECK(report["best_steps"] == 2);
    CHECK(report["ratio_to_best"] == 1.0);
    const Outcome text = dcube_line("replay - broadcast --dim 2", {.input = own});
    for (const char* const part : {"broadcast, algorithm standard input (a schedule from a file)", "2 (optimal)",
                                   "verified       4 blocks, every byte", "best known", "this schedule takes the same"})
        CHECK_THAT(text.out, Catch::Contains(part));
    const Outcome csv = dcube_line("replay - broadcast --dim 2 --format csv", {.input = own});
    REQUIRE(lines_of(csv.out).size() == 2);
    CHECK_THAT(csv.out, Catch::Contains(",best_algorithm,best_steps,"));
}

TEST_CASE("replay: links may be others than the file's, and their times come from the run", "[cli]")
{
    const ordered_json report = replayed("broadcast --dim 2 --tau 1 --beta 10", own);
    CHECK(report["virtual_time_ns"] == 2 * (64 + 10));
    CHECK(report["time_lower_bound_ns"].is_number());
    CHECK(report["best_time_ns"].is_number());
    const std::string header = R"({"dcube_trace":1,"collective":"broadcast","topology":"hypercube:2"})"
                               "\n";
    CHECK(replayed("", header + own)["link_model"] == "unit");
    CHECK(replayed("--tau 2 --beta 0", header + own)["virtual_time_ns"] == 2 * 128);
    check_wrong("--packets 2", header + own, 2, "contradicts");
}

TEST_CASE("replay: sums are added up as a trace says", "[cli]")
{
    const std::string reduce = R"({"step":1,"from":1,"to":0,"pieces":[{"target":0}]}
{"step":1,"from":3,"to":2,"pieces":[{}]}
{"step":2,"from":2,"to":0,"pieces":[{}]}
)";
    CHECK(replayed("reduce --dim 2 --type int32 --operation min", reduce)["steps"] == 2);
    const std::string twice = R"({"step":1,"from":0,"to":1,"pieces":[{}]}
{"step":1,"from":3,"to":2,"pieces":[{}]}
{"step":2,"from":2,"to":0,"pieces":[{}]}
{"step":3,"from":0,"to":2,"pieces":[{}]}
)";
    check_wrong("all-reduce --dim 2", twice, 1, "line 4: contribution counted twice: node 2's");
    // A complete sum takes the place of what was there.
    const std::string right = R"({"step":1,"from":1,"to":0,"pieces":[{}]}
{"step":1,"from":3,"to":2,"pieces":[{}]}
{"step":2,"from":2,"to":0,"pieces":[{}]}
{"step":3,"from":0,"to":2,"pieces":[{"length":16}]}
{"step":4,"from":0,"to":2,"pieces":[{"offset":16}]}
{"step":5,"from":0,"to":1,"pieces":[{}]}
{"step":5,"from":2,"to":3,"pieces":[{}]}
)";
    CHECK(replayed("all-reduce --dim 2 --type uint8", right)["verified"] == true);
}

TEST_CASE("replay, verify, view and run take a schedule whose lines say only steps and links", "[cli]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("own");
    write_text(file, R"({"step":1,"from":0,"to":1}
{"step":2,"from":0,"port":1,"bytes":64}
{"step":2,"from":1,"to":3}
)");
    for (const std::string& line :
         {"replay " + file + " broadcast --dim 2", "verify " + file + " broadcast --dim 2",
          "view broadcast --dim 2 --trace " + file, "run broadcast --dim 2 --algorithm @" + file}) {
        const Outcome outcome = executed(line);
        CAPTURE(line, outcome.err);
        CHECK(outcome.exit_code == 0);
    }
}

TEST_CASE("replay and verify read what export writes", "[cli]")
{
    const TemporaryFolder folder;
    for (const char* const problem :
         {"all-to-all --dim 2", "all-reduce --topology torus:3x3 --packets 3", "broadcast --dim 3 --ports one --root 5",
          "all-gather --dim 3 --bytes 50 --tau 5/2 --beta 7", "reduce-scatter --topology complete:5"}) {
        const ordered_json run = json_of(std::string("run ") + problem);
        for (const char* const format : {"goal", "msccl"}) {
            CAPTURE(problem, format);
            const std::string file = folder.file(format);
            REQUIRE(executed(std::string("export ") + format + " " + problem + " -q --output " + file).exit_code == 0);
            const ordered_json again = json_of("replay " + file);
            for (const char* const key : {"steps", "transmissions", "link_bytes", "virtual_time_ns", "result_digest"})
                CHECK(again[key] == run[key]);
            CHECK(json_of("verify " + file)["transmissions"] == run["transmissions"]);
        }
    }
    const std::string collective = "all-to-all --dim 2";
    REQUIRE(executed("export goal " + collective + " -q --output " + folder.file("goal")).exit_code == 0);
    CHECK(json_of("run " + collective + " --algorithm @" + folder.file("goal"))["steps"] == 2);
}

TEST_CASE("replay: data may be given, and what the nodes hold in the end is written", "[cli]")
{
    const TemporaryFolder folder;
    write_text(folder.file("in"), std::string(64, 'x'));
    write_text(folder.file("own"), own);
    const Outcome outcome = executed("replay " + folder.file("own") + " broadcast --dim 2 --input " +
                                     folder.file("in") + " --output " + folder.file("out"));
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(read_text(folder.file("out")) == std::string(256, 'x'));
}

TEST_CASE("replay: a file that cannot be understood exits 2 with its line", "[cli][negative]")
{
    const std::string first = lines_of(own).front() + "\n";
    const std::string on = "broadcast --dim 2";
    check_wrong(on, first + "step 2: node 0 to node 2\n", 2, "line 2: not valid JSON at column 1");
    check_wrong(on, first + R"({"step":2,"from":0,"pieces":[{}]})", 2,
                R"(line 2: the transmission has neither "to" nor "port": one of them is needed)");
    check_wrong(on, R"({"from":0,"to":1,"pieces":[{}]})", 2, R"(line 1: the transmission has no "step")");
    check_wrong("scatter --dim 2", R"({"step":1,"from":0,"to":1})", 2,
                R"(line 1: the transmission has no "pieces", and node 0 has several messages that node 1 lacks)");
    check_wrong(on, R"({"step":-1,"from":0,"to":1,"pieces":[{}]})", 2, R"("step" is a negative number)");
    check_wrong(on, R"({"step":1,"from":0,"to":99999999999,"pieces":[{}]})", 2, R"("to" is 99999999999)");
    check_wrong(on, "\n" + first, 2, "line 1: the line is empty");
    check_wrong(on, std::string(2, '\0'), 2, "line 1: not valid JSON at column 1");
    check_wrong("", R"({"dcube_trace":2})", 2, "line 1: unsupported trace version 2 (this dcube reads version 1)");
    check_wrong("", R"({"dcube_trace":1,"collective":"cast","topology":"ring:3"})", 2,
                R"(the header has "collective")");
    check_wrong("", first, 2, "the trace has no header");
    check_wrong("broadcast", first, 2, "--dim");
    check_refused("replay", "a trace is missing: dcube replay FILE");
    check_refused("replay /no/such/file broadcast --dim 2", "cannot read '/no/such/file'");
    check_refused("replay - broadcast --dim 2 --output -", "--output - is not allowed");
}

TEST_CASE("replay: a file that breaks a rule or does not achieve the collective exits 1 with its line",
          "[cli][negative]")
{
    const std::string on = "broadcast --dim 2";
    const std::string first = lines_of(own).front() + "\n";
    check_wrong(on, R"({"step":1,"from":0,"to":3,"pieces":[{}]})", 1, "line 1: node 0 has no link to node 3");
    check_wrong(on, R"({"step":1,"from":0,"port":2,"pieces":[{}]})", 1, "line 1: node 0 has no port 2");
    check_wrong(on, R"({"step":1,"from":0,"port":0,"to":2,"pieces":[{}]})", 1, "leads to node 1, not to node 2");
    check_wrong(on, R"({"step":1,"from":9,"to":1,"pieces":[{}]})", 1, R"("from" is 9)");
    check_wrong(on, R"({"step":0,"from":0,"to":1,"pieces":[{}]})", 1, "steps begin at 1");
    check_wrong(on, R"({"step":1,"from":0,"to":1,"pieces":[{"origin":2}]})", 1, "a piece has origin 2");
    check_wrong(on, R"({"step":1,"from":0,"to":1,"pieces":[{"offset":64}]})", 1, "does not lie within a message");
    check_wrong(on, R"({"step":1,"from":0,"to":1,"bytes":63,"pieces":[{}]})", 1, R"("bytes" is 63)");
    check_wrong(on, R"({"step":1,"from":0,"to":1,"pieces":[]})", 1, "carries nothing");
    check_wrong(on, first + first, 1, "line 2: a second packet from node 0 over port 0 in step 1");
    check_wrong(on, first + R"({"step":1,"from":1,"to":3,"pieces":[{}]})", 1, "line 2: node 1 sends byte 0");
    check_wrong(on, first + R"({"step":2,"from":0,"to":1,"pieces":[{}]})", 1, "is delivered to node 1 twice");
    check_wrong(on,
                R"({"step":3,"from":0,"to":1,"pieces":[{}]})"
                "\n" +
                    first,
                1, "packets are not sorted by step");
    check_wrong(on, first, 1, "node 2 never received byte 0");
    check_wrong(on, "", 1, "node 1 never received byte 0");
    check_wrong(on + " --ports one",
                R"({"step":1,"from":0,"to":1,"pieces":[{}]})"
                "\n"
                R"({"step":1,"from":0,"to":2,"pieces":[{}]})",
                1, "which has one port");
    check_wrong("reduce --dim 1",
                R"({"step":1,"from":1,"to":0,"pieces":[{}]})"
                "\n"
                R"({"step":2,"from":1,"to":0,"pieces":[{}]})",
                1, "which has it complete");
    check_wrong("all-to-all --dim 1", R"({"step":1,"from":0,"to":1,"pieces":[{"target":1}]})", 1,
                "a piece has no origin: a node from 0 to 1 is allowed");
}

TEST_CASE("replay: a rejection is a record too", "[cli][negative]")
{
    const Outcome outcome = dcube_line("replay - broadcast --dim 2 --format json", {.input = lines_of(own).front()});
    CHECK(outcome.exit_code == 1);
    const ordered_json record = ordered_json::parse(outcome.out);
    CHECK(record["accepted"] == false);
    CHECK(record["reason"] == "node 2 never received byte 0 of the message from node 0");
}

TEST_CASE("replay: hostile files are refused, or run, without harm", "[cli][negative]")
{
    const std::string on = "broadcast --dim 1";
    const auto line = [](const std::string& step, const std::string& pieces) {
        return R"({"step":)" + step + R"(,"from":0,"to":1,"pieces":[)" + pieces + "]}\n";
    };
    check_wrong(on, line("2147483647", "{}"), 1, "line 1: step 2147483647: a run has at most");
    check_wrong(on, line("4294967295", "{}"), 1, "line 1: step 4294967295");
    CHECK(replayed(on, line("2000000", "{}"))["steps"] == 2000000);
    check_wrong(on, line("1", R"({"offset":9223372036854775807,"length":9223372036854775807})"), 1,
                "does not lie within a message");
    check_wrong(on, std::string(100'000, '['), 2, "line 1: ");
    check_wrong(on, R"({"step":)" + std::string(100'000, '['), 2, R"(line 1: "step" is a list)");
    std::string bytes;
    for (int i = 0; i < 64; ++i)
        bytes += R"({"offset":)" + std::to_string(i) + R"(,"length":1})" + (i < 63 ? "," : "");
    CHECK(replayed(on, line("1", bytes))["link_bytes"] == 64);
    check_wrong("broadcast --dim 1 --bytes 1T", line("1", "{}"), 2, "memory");
}

TEST_CASE("replay: a trace of thousands of lines gives the counts and digest of its run", "[cli]")
{
    const TemporaryFolder folder;
    const std::string trace = folder.file("t");
    const ordered_json first = json_of("run all-to-all --dim 6 --bytes 8 --trace " + trace);
    const ordered_json second = json_of("replay " + trace);
    CHECK(second["transmissions"] == first["transmissions"]);
    CHECK(second["result_digest"] == first["result_digest"]);
}
