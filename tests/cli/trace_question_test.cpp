// The question of a trace: its header or the options give it, and they must not contradict each other.

#include "tests/cli/traces.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace dcube::test;

TEST_CASE("trace: a trace of dcube's says itself what it is of, whatever the collective", "[cli]")
{
    for (const char* const problem :
         {"broadcast --dim 3 --packets 2 --root 5", "reduce --dim 2 --type int32 --bytes 8 --operation max",
          "gather --dim 0", "all-to-all --topology mesh:2x3 --ports one",
          "scatter --dim 3 --bytes 7 --tau 5/2 --beta 7/3 --clock lockstep",
          "send --dim 3 --root 1 --peer 6 --tau 1 --beta 2",
          "permute --dim 3 --permutation random --seed 7 --machine ncube3",
          "all-to-all --dim 3 --counts poisson:2 --seed 3", "reduce-scatter --dim 2 --counts 3,0,1,2 --type uint8",
          "matrix-relayout --dim 2 --rows 8 --columns 3 --layout rows-striped --to-layout rows-blocked-gray --tau 1 "
          "--beta 2"}) {
        CAPTURE(problem);
        const std::string trace = trace_of(problem);
        const Outcome outcome = dcube_line("verify - --format json", {.input = trace});
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 0);
        CHECK(outcome.err.empty());
        CHECK_THAT(outcome.out, Catch::Contains("\"accepted\": true"));
        CHECK(dcube_line("verify -", {.input = without_header(trace)}).exit_code == 2);
    }
}

TEST_CASE("trace: options that say the same as the header are fine, others are refused", "[cli][negative]")
{
    const std::string trace = trace_of("scatter --dim 3 --bytes 8 --root 2 --machine ncube3");
    for (const char* const same : {"scatter --dim 3", "single-node-scatter --topology hypercube:3",
                                   "--bytes 8 --root 2", "scatter --tau 20", "--machine ncube3 --clock data-driven"}) {
        CAPTURE(same);
        CHECK(dcube_line(std::string("verify - ") + same, {.input = trace}).exit_code == 0);
    }
    for (const auto& [other, told] :
         {std::pair{"gather --dim 3", "COLLECTIVE gather contradicts the trace's header, which has \"collective\""},
          {"--dim 4", "which has \"topology\": \"hypercube:3\""},
          {"--bytes 16", "--bytes 16 contradicts the trace's header, which has \"bytes\": 8"},
          {"--root 3", "\"root\": 2"},
          {"--clock lockstep", "\"clock\": \"data-driven\""},
          {"--ports one", "--ports one contradicts the trace's header, which has \"ports\": \"all\""},
          {"--tau 1 --beta 2", "\"tau_ns_per_byte\": 20"}}) {
        CAPTURE(other);
        const Outcome outcome = dcube_line(std::string("verify - ") + other, {.input = trace});
        CHECK(outcome.exit_code == 2);
        CHECK(lines_of(outcome.err).size() == 1);
        CHECK_THAT(outcome.err, Catch::Contains(told));
    }
}

TEST_CASE("trace: what the header says need not be said again, whatever the collective", "[cli]")
{
    for (const auto& [problem, part] :
         {std::pair{"send --dim 3 --root 1 --peer 6 --bytes 8 --tau 1 --beta 2", "send --dim 3"},
          {"exchange --dim 3 --root 1 --peer 6 --bytes 8 --tau 1 --beta 2", "exchange --dim 3 --tau 1"},
          {"broadcast --dim 3 --root 5 --bytes 8", "broadcast --dim 3"},
          {"permute --dim 3 --permutation shuffle --bytes 8 --tau 1 --beta 2", "permute --dim 3"},
          {"permute --dim 3 --permutation random --seed 7 --tau 1 --beta 2",
           "permute --dim 3 --permutation random --seed 7"},
          {"matrix-transpose --dim 2 --rows 8 --columns 4 --tau 1 --beta 2", "matrix-transpose --dim 2 --rows 8"}}) {
        CAPTURE(part);
        const std::string trace = trace_of(problem);
        const Outcome outcome = dcube_line(std::string("verify - ") + part, {.input = trace});
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 0);
    }
}

TEST_CASE("trace: options that the header's collective does not have are refused", "[cli][negative]")
{
    const std::string send = trace_of("send --dim 3 --peer 6 --tau 1 --beta 2");
    const std::string permute = trace_of("permute --dim 3 --permutation shuffle --tau 1 --beta 2");
    for (const auto& [trace, options, told] :
         {std::tuple{send, "send --dim 3 --peer 5", "--peer 5 contradicts the trace's header, which has \"peer\": 6"},
          {send, "send --dim 3 --peer 99", "--peer 99 is too large: 0 to 7 are allowed"},
          {send, "--rows 4", "--rows does not apply to send"},
          {send, "exchange --dim 3", "COLLECTIVE exchange contradicts the trace's header"},
          {permute, "permute --dim 3 --peer 6", "--peer does not apply to permute"},
          {permute, "permute --dim 3 --permutation rotation",
           "--permutation rotation contradicts the trace's header, which has \"permutation\": [0,"}}) {
        CAPTURE(options);
        const Outcome outcome = dcube_line(std::string("verify - ") + options, {.input = trace});
        CHECK(outcome.exit_code == 2);
        CHECK(lines_of(outcome.err).size() == 1);
        CHECK_THAT(outcome.err, Catch::Contains(told));
    }
}

TEST_CASE("trace: a header that cannot be understood is reported", "[cli][negative]")
{
    for (const auto& [header, told] :
         {std::pair{R"({"dcube_trace":2,"collective":"scatter","topology":"hypercube:3"})",
                    "unsupported trace version 2 (this dcube reads version 1)"},
          {R"({"dcube_trace":1,"topology":"hypercube:3"})", "has no \"collective\""},
          {R"({"dcube_trace":1,"collective":"scatter","topology":"torus"})", "\"topology\": 'torus' is not a topology"},
          {R"({"dcube_trace":1,"collective":"scatter","topology":"hypercube:3","bytes":-1})", "\"bytes\": -1"},
          {R"({"dcube_trace":1,"collective":"scatter")", "is not valid JSON"}}) {
        const Outcome outcome = dcube_line("verify -", {.input = std::string(header) + "\n"});
        CHECK(outcome.exit_code == 1);
        CHECK_THAT(outcome.err, Catch::Contains("line 1: ") && Catch::Contains(told));
    }
}

TEST_CASE("trace: options may repeat the missing links and nodes of a header, but not change them", "[cli][negative]")
{
    const TemporaryFolder folder;
    const std::string whole = folder.file("whole");
    const std::string faulty = folder.file("faulty");
    write_text(whole, trace_of("all-to-all --dim 3"));
    write_text(faulty, trace_of("all-to-all --dim 3 --without-link 0-1 --without-node 5"));
    write_text(folder.file("faults"), "0-1\n5\n");
    const std::string as_traced[] = {"--without-link 0-1 --without-node 5", "--faults " + folder.file("faults"),
                                     "--dim 3 --without-link 0-1 --without-node 5",
                                     "--topology hypercube:3 --faults " + folder.file("faults")};
    for (const std::string command : {"verify ", "replay ", "view --trace "}) {
        CAPTURE(command);
        for (const std::string& options : as_traced) {
            CAPTURE(options);
            CHECK(executed(command + faulty + " " + options).exit_code == 0);
            const Outcome outcome = executed(command + whole + " " + options);
            CHECK(outcome.exit_code == 2);
            CHECK(outcome.err ==
                  "dcube: " + options + " contradicts the trace's header, which has \"topology\": \"hypercube:3\"\n");
        }
        for (const char* const options : {"--dim 3", "--without-link 0-1", "--without-link 0-1 --without-node 6",
                                          "--fault-rate 0.1", "--fault-rate 0.1 --seed 7"}) {
            CAPTURE(options);
            CHECK(executed(command + faulty + " " + options).exit_code == 2);
        }
    }
}

// Options of the network, its faults, the problem and the links, as the help lists them.
static std::vector<std::string> options_of_the_question(const std::string& command)
{
    std::vector<std::string> names;
    bool listed = false;
    for (const std::string& line : lines_of(executed(command + " --help").out)) {
        if (!line.starts_with(" "))
            listed = line == "Network:" || line == "Faults:" || line == "Problem:" || line == "Links:";
        else if (listed && line.starts_with("  --"))
            names.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
    return names;
}

TEST_CASE("trace: every option that contradicts a header is refused", "[cli][negative]")
{
    const TemporaryFolder folder;
    const std::string trace = folder.file("t");
    write_text(folder.file("faults"), "6\n");
    write_text(folder.file("links"), "0 1 1 10\n");
    write_text(trace, trace_of("broadcast --dim 3"));
    const std::map<std::string, std::string> others{{"--dim", "4"},
                                                    {"--topology", "ring:8"},
                                                    {"--ports", "one"},
                                                    {"--link-file", folder.file("links")},
                                                    {"--counts", "zipf:1"},
                                                    {"--within", "0"},
                                                    {"--without-link", "0-1"},
                                                    {"--without-node", "7"},
                                                    {"--faults", folder.file("faults")},
                                                    {"--fault-rate", "0.1"},
                                                    {"--bytes", "65"},
                                                    {"--packets", "2"},
                                                    {"--root", "1"},
                                                    {"--peer", "1"},
                                                    {"--permutation", "rotation"},
                                                    {"--rows", "8"},
                                                    {"--columns", "8"},
                                                    {"--layout", "rows"},
                                                    {"--to-layout", "rows-striped"},
                                                    {"--type", "int8"},
                                                    {"--operation", "max"},
                                                    {"--link", "link-bound"},
                                                    {"--tau", "1"},
                                                    {"--beta", "1"},
                                                    {"--machine", "ncube3"},
                                                    {"--clock", "lockstep"},
                                                    {"--duplex", "half"},
                                                    {"--board", ""}};
    for (const std::string command : {"verify", "replay", "view"}) {
        const std::vector<std::string> names = options_of_the_question(command);
        CHECK(names.size() > 20);
        for (const std::string& name : names) {
            const bool says_nothing = name == "--seed" || name == "--algorithm" || name == "--not-judged";
            const bool as_wished =
                command == "replay" && (name == "--link" || name == "--tau" || name == "--beta" ||
                                        name == "--machine" || name == "--clock" || name == "--duplex");
            if (says_nothing || as_wished)
                continue;
            CAPTURE(command, name);
            REQUIRE(others.contains(name));
            const Outcome outcome = executed(command + (command == "view" ? " --trace " : " ") + trace + " " + name +
                                             " " + others.at(name));
            CAPTURE(outcome.err);
            CHECK(outcome.exit_code == 2);
            CHECK(lines_of(outcome.err).size() == 1);
        }
    }
}

TEST_CASE("trace: options of the tuning are refused where there is a header", "[cli][negative]")
{
    const TemporaryFolder folder;
    write_text(folder.file("t"), trace_of("broadcast --dim 3 --tau 1 --beta 1"));
    check_refused("view --trace " + folder.file("t") + " --groups 2",
                  "--groups is not possible here: the trace's header has it");
}

TEST_CASE("trace: a header of another schema is refused", "[cli][negative]")
{
    for (const char* const schema : {"99", "3.5", "\"1\""}) {
        const std::string trace = std::string(R"({"dcube_trace":1,"schema":)") + schema +
                                  R"(,"collective":"broadcast","topology":"hypercube:0"})";
        const Outcome outcome = dcube_line("verify -", {.input = trace});
        CHECK(outcome.exit_code == 1);
        CHECK(outcome.err ==
              std::string("dcube: line 1: unsupported schema ") + schema + " (this dcube reads schema 1)\n");
    }
}
