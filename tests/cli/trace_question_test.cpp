// What a trace is of: its header says it, or the options do, and they must not contradict each other.

#include "tests/cli/traces.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <string>
#include <tuple>
#include <utility>

using namespace dcube::test;

TEST_CASE("trace: a trace of dcube's says itself what it is of, whatever the collective", "[cli]")
{
    for (const char* const problem :
         {"broadcast --dim 3 --packets 2 --root 5", "reduce --dim 2 --type int32 --bytes 8 --op max", "gather --dim 0",
          "all-to-all --topology mesh:2x3 --ports one",
          "scatter --dim 3 --bytes 7 --tau 5/2 --beta 7/3 --clock lockstep",
          "send --dim 3 --root 1 --to 6 --tau 1 --beta 2",
          "permute --dim 3 --permutation random --seed 7 --machine ncube2",
          "matrix-relayout --dim 2 --rows 8 --cols 3 --layout rows-striped --to-layout rows-blocked-gray --tau 1 "
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
    const std::string trace = trace_of("scatter --dim 3 --bytes 8 --root 2 --machine ncube2");
    for (const char* const same :
         {"scatter --dim 3", "single-node-scatter --topology hypercube:3", "--bytes 8 --root 2",
          "scatter --tau 10000/17", "--machine ncube2 --clock data-driven"}) {
        CAPTURE(same);
        CHECK(dcube_line(std::string("verify - ") + same, {.input = trace}).exit_code == 0);
    }
    for (const auto& [other, told] :
         {std::pair{"gather --dim 3", "COLLECTIVE gather contradicts the trace's header, which says \"collective\""},
          {"--dim 4", "which says \"topology\": \"hypercube:3\""},
          {"--bytes 16", "--bytes 16 contradicts the trace's header, which says \"bytes\": 8"},
          {"--root 3", "\"root\": 2"},
          {"--clock lockstep", "\"clock\": \"data-driven\""},
          {"--tau 1 --beta 2", "\"tau_ns_per_byte\": \"10000/17\""}}) {
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
         {std::pair{"send --dim 3 --root 1 --to 6 --bytes 8 --tau 1 --beta 2", "send --dim 3"},
          {"exchange --dim 3 --root 1 --to 6 --bytes 8 --tau 1 --beta 2", "exchange --dim 3 --tau 1"},
          {"broadcast --dim 3 --root 5 --bytes 8", "broadcast --dim 3"},
          {"permute --dim 3 --permutation shuffle --bytes 8 --tau 1 --beta 2", "permute --dim 3"},
          {"permute --dim 3 --permutation random --seed 7 --tau 1 --beta 2",
           "permute --dim 3 --permutation random --seed 7"},
          {"matrix-transpose --dim 2 --rows 8 --cols 4 --tau 1 --beta 2", "matrix-transpose --dim 2 --rows 8"}}) {
        CAPTURE(part);
        const std::string trace = trace_of(problem);
        const Outcome outcome = dcube_line(std::string("verify - ") + part, {.input = trace});
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 0);
    }
}

TEST_CASE("trace: options that the header's collective does not have are refused", "[cli][negative]")
{
    const std::string send = trace_of("send --dim 3 --to 6 --tau 1 --beta 2");
    const std::string permute = trace_of("permute --dim 3 --permutation shuffle --tau 1 --beta 2");
    for (const auto& [trace, options, told] :
         {std::tuple{send, "send --dim 3 --to 5", "--to 5 contradicts the trace's header, which says \"peer\": 6"},
          {send, "send --dim 3 --to 99", "--to 99 contradicts the trace's header, which says \"peer\": 6"},
          {send, "--rows 4", "--rows does not apply to send"},
          {send, "exchange --dim 3", "COLLECTIVE exchange contradicts the trace's header"},
          {permute, "permute --dim 3 --to 6", "--to does not apply to permute"},
          {permute, "permute --dim 3 --permutation rotation",
           "--permutation rotation contradicts the trace's header, which says \"permutation\": [0,"}}) {
        CAPTURE(options);
        const Outcome outcome = dcube_line(std::string("verify - ") + options, {.input = trace});
        CHECK(outcome.exit_code == 2);
        CHECK(lines_of(outcome.err).size() == 1);
        CHECK_THAT(outcome.err, Catch::Contains(told));
    }
}

TEST_CASE("trace: a header that cannot be understood is told", "[cli][negative]")
{
    for (const auto& [header, told] :
         {std::pair{R"({"dcube_trace":2,"collective":"scatter","topology":"hypercube:3"})", "version 2: 1 is known"},
          {R"({"dcube_trace":1,"topology":"hypercube:3"})", "has no \"collective\""},
          {R"({"dcube_trace":1,"collective":"scatter","topology":"torus"})", "\"topology\": 'torus' is not a topology"},
          {R"({"dcube_trace":1,"collective":"scatter","topology":"hypercube:3","bytes":-1})", "\"bytes\": -1"},
          {R"({"dcube_trace":1,"collective":"scatter")", "is not valid JSON"}}) {
        const Outcome outcome = dcube_line("verify -", {.input = std::string(header) + "\n"});
        CHECK(outcome.exit_code == 1);
        CHECK_THAT(outcome.err, Catch::Contains("line 1: the header") && Catch::Contains(told));
    }
}
