// dcube run --trace and dcube verify: every trace of ours is accepted, a changed one is not.

#include "tests/cli/traces.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <dcube/collective.hpp>

#include <algorithm>

using namespace dcube::test;

namespace {

// The judge rejects the trace, in one line that names the line.
void check_rejected(const std::vector<std::string>& lines, const std::string& problem, std::size_t line)
{
    const Outcome outcome = dcube_line("verify - " + problem, {.input = joined(lines)});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 1);
    CHECK(outcome.out.empty());
    CHECK(lines_of(outcome.err).size() == 1);
    CHECK_THAT(outcome.err, Catch::Contains("line " + std::to_string(line)));
}

}  // namespace

TEST_CASE("trace: each collective's trace is judged by its own problem, through a pipe", "[cli][slow]")
{
    for (const dcube::Collective collective : dcube::all_collectives) {
        if (dcube::is_point_to_point(collective) || dcube::is_matrix(collective) || dcube::is_barrier(collective))
            continue;  // the next test's, or without sizes
        for (const char* const options :
             {" --dim 3 --bytes 8", " --dim 2 --bytes 5 --packets 4 --ports one", " --dim 0"}) {
            const std::string problem = std::string(name(collective)) + options;
            CAPTURE(problem);
            const Outcome verdict = dcube_line("verify - " + problem, {.input = trace_of(problem)});
            CAPTURE(verdict.err);
            CHECK(verdict.exit_code == 0);
            CHECK_THAT(verdict.out, Catch::Contains("accepted"));
        }
    }
}

TEST_CASE("trace: link-bound traces tell exact times, and are judged by them", "[cli][slow]")
{
    const std::string links = " --tau 5/2 --beta 7/3";
    for (const char* const problem :
         {"send --dim 3 --peer 6 --bytes 50", "exchange --dim 3 --root 1 --peer 6 --bytes 50",
          "permute --dim 3 --permutation shuffle --bytes 50",
          "matrix-transpose --dim 2 --rows 8 --columns 4 --type int16",
          "matrix-quarter-turn --dim 4 --rows 8 --columns 8 --layout submatrices",
          "matrix-half-turn --dim 2 --rows 8 --columns 8 --layout submatrices-gray",
          "matrix-relayout --dim 2 --rows 8 --columns 3 --layout rows-striped", "broadcast --dim 3 --bytes 50",
          "all-to-all --dim 3 --bytes 5", "reduce-scatter --dim 3 --bytes 5"}) {
        CAPTURE(problem);
        const std::string trace = trace_of(problem + links);
        const Outcome outcome =
            dcube_line("verify - " + std::string(problem) + links + " --format json", {.input = trace});
        CAPTURE(outcome.err);
        REQUIRE(outcome.exit_code == 0);
        CHECK_THAT(outcome.out, Catch::Contains("virtual_time_ns"));
        CHECK(dcube_line("verify - " + std::string(problem) + " --tau 5/2 --beta 8/3", {.input = without_header(trace)})
                  .exit_code == 1);
    }
    CHECK_THAT(trace_of("broadcast --dim 1 --bytes 1 --tau 5/2 --beta 1"),
               Catch::Contains(R"("start_ns":0,"end_ns":"7/2","pieces")"));
    CHECK_THAT(trace_of("broadcast --dim 1 --bytes 2 --tau 5/2 --beta 1"), Catch::Contains(R"("end_ns":6,"pieces")"));
}

TEST_CASE("trace: the first line may name the collective as MPI does", "[cli]")
{
    const TemporaryFolder folder;
    std::string trace = trace_of("all-to-all --dim 2");
    const std::string ours = R"("collective":"all-to-all")";
    REQUIRE(trace.find(ours) != std::string::npos);
    trace.replace(trace.find(ours), ours.size(), R"("collective":"MPI_Alltoall")");
    write_text(folder.file("t"), trace);
    CHECK_THAT(executed("verify " + folder.file("t")).out, Catch::StartsWith("all-to-all by the trace in "));
    CHECK(executed("verify " + folder.file("t") + " alltoall").exit_code == 0);
    CHECK(executed("verify " + folder.file("t") + " bcast").exit_code == 2);
}

TEST_CASE("trace: a verdict tells the counts beside the bounds, as JSON too", "[cli]")
{
    const TemporaryFolder folder;
    write_text(folder.file("t"), trace_of("all-to-all --dim 3"));
    const Outcome text = executed("verify " + folder.file("t") + " all-to-all --topology hypercube:3");
    CHECK_THAT(text.out, Catch::Contains(" 4 (optimal)\n") && Catch::Contains(" 96 (optimal)\n"));
    const Outcome as_json = executed("verify " + folder.file("t") + " total-exchange --dim 3 --format json");
    for (const char* const part : {"\"accepted\": true", "\"lines\": 96,", "\"steps\": 4,", "\"steps_lower_bound\": 4,",
                                   "\"transmissions\": 96,", "\"transmissions_lower_bound\": 96,"})
        CHECK_THAT(as_json.out, Catch::Contains(part));
}

TEST_CASE("trace: the lines are those of the format, sorted by step, sender and port", "[cli]")
{
    const std::vector<std::string> lines = lines_of(without_header(trace_of("all-to-all --dim 1 --bytes 16")));
    REQUIRE(lines.size() == 2);
    CHECK(lines[0] == R"({"step":1,"from":0,"to":1,"port":0,"bytes":16,"start_ns":null,"end_ns":null,)"
                      R"("pieces":[{"origin":0,"target":1,"offset":0,"length":16}]})");
    CHECK(lines[1] == R"({"step":1,"from":1,"to":0,"port":0,"bytes":16,"start_ns":null,"end_ns":null,)"
                      R"("pieces":[{"origin":1,"target":0,"offset":0,"length":16}]})");
    const std::string sum = lines_of(trace_of("reduce --dim 1 --bytes 4")).at(1);
    CHECK_THAT(sum, Catch::Contains(R"("origin":null)"));
}

TEST_CASE("trace: every number of threads and every channel gives the same trace", "[cli]")
{
    const std::string once = trace_of("all-gather --dim 4 --threads 1");
    CHECK(once == trace_of("all-gather --dim 4 --threads 4"));
    CHECK(once == trace_of("all-gather --dim 4 --channel spsc --capacity 2"));
}

TEST_CASE("trace: a tampered trace is rejected with the line named", "[cli][negative]")
{
    const std::string problem = "all-to-all --dim 3 --bytes 8";
    const std::vector<std::string> good = lines_of(trace_of(problem));

    auto doubled = good;
    doubled.insert(doubled.begin() + 7, good[6]);
    check_rejected(doubled, problem, 8);

    auto unreadable = good;
    unreadable[4] = "step 1: node 0 to node 1";
    check_rejected(unreadable, problem, 5);

    auto redirected = good;
    const std::size_t to = redirected[2].find("\"to\":");
    redirected[2].replace(to, redirected[2].find(',', to) - to, "\"to\":7");
    check_rejected(redirected, problem, 3);
}

TEST_CASE("trace: a trace that falls short is rejected", "[cli][negative]")
{
    const std::string problem = "broadcast --dim 2";
    std::vector<std::string> lines = lines_of(trace_of(problem));
    lines.pop_back();
    for (const std::string& text : {joined(lines), std::string()}) {
        const Outcome outcome = dcube_line("verify - " + problem, {.input = text});
        CHECK(outcome.exit_code == 1);
        CHECK(outcome.out.empty());
        CHECK(lines_of(outcome.err).size() == 1);
    }
}

TEST_CASE("trace: a schedule for all ports breaks the rules of one", "[cli][negative]")
{
    const Outcome outcome = dcube_line("verify - all-to-all --dim 3 --ports one",
                                       {.input = without_header(trace_of("all-to-all --dim 3"))});
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.err, Catch::Contains("line 2"));
}

TEST_CASE("trace: a rejection is JSON too, and says line and reason", "[cli][negative]")
{
    std::vector<std::string> lines = lines_of(trace_of("broadcast --dim 2"));
    lines.push_back(lines.back());
    const Outcome outcome = dcube_line("verify - --format json", {.input = joined(lines)});
    CHECK(outcome.exit_code == 1);
    CHECK(lines_of(outcome.err).size() == 1);
    for (const char* const part :
         {"\"accepted\": false", "\"collective\": \"broadcast\"", "\"line\": ", "\"reason\": \"line "})
        CHECK_THAT(outcome.out, Catch::Contains(part));
}

TEST_CASE("trace: lines that are not sorted by step are told as such", "[cli][negative]")
{
    std::vector<std::string> lines = lines_of(trace_of("all-to-all --dim 3"));
    std::reverse(lines.begin() + 1, lines.end());
    const Outcome outcome = dcube_line("verify -", {.input = joined(lines)});
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.err, Catch::Contains("packets are not sorted by step"));
}

TEST_CASE("trace: unknown keys and times in the unit model are warned of, once each", "[cli]")
{
    std::string trace = trace_of("all-to-all --dim 1");
    for (std::size_t at = 0; (at = trace.find("\"start_ns\":null", at)) != std::string::npos; ++at)
        trace.replace(at, 15, "\"start_ns\":5,\"colour\":1");
    const Outcome outcome = dcube_line("verify -", {.input = trace});
    CHECK(outcome.exit_code == 0);
    CHECK(lines_of(outcome.err) ==
          std::vector<std::string>{"dcube: warning: line 2: ignoring the unknown key \"colour\"",
                                   "dcube: warning: line 2: start_ns and end_ns are ignored in the unit model"});
}

TEST_CASE("trace: a data-driven trace is no lockstep trace", "[cli][negative]")
{
    const std::string problem = "broadcast --dim 3 --bytes 1000 --packets 3 --tau 2 --beta 3";
    const std::string lockstep = " --clock lockstep";
    CHECK(dcube_line("verify - " + problem + lockstep, {.input = without_header(trace_of(problem + lockstep))})
              .exit_code == 0);
    const Outcome outcome = dcube_line("verify - " + problem + lockstep, {.input = without_header(trace_of(problem))});
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.err, Catch::Contains("under the lockstep clock that step begins at"));
}

TEST_CASE("trace: a byte order mark and blank lines at the end are fine", "[cli]")
{
    const std::string trace = trace_of("broadcast --dim 2");
    CHECK(dcube_line("verify -", {.input = "\xEF\xBB\xBF" + trace + "\n\n"}).exit_code == 0);
    CHECK(dcube_line("verify -", {.input = trace + "\n" + lines_of(trace).back() + "\n"}).exit_code == 1);
}

TEST_CASE("trace: phases that a program notes stand in its trace, and do not change the verdict", "[cli]")
{
    const std::string problem = "all-reduce --dim 3 --packets 8 --algorithm two-centre";
    const std::string trace = trace_of(problem);
    CHECK_THAT(trace, Catch::Contains(R"(}],"phase":"between the centres"})"));
    const Outcome verdict = dcube_line("verify -", {.input = trace});
    CHECK(verdict.exit_code == 0);
    CHECK(verdict.err.empty());
}
