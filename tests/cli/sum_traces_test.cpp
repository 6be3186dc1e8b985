// Traces of reductions as files: who is in a sum is written, judged and replayed.

#include "tests/cli/traces.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <string>

using namespace dcube::test;

namespace {

// A reduction on the square: node 2 sends its own share and node 3's apart.
const std::string apart = R"({"step":1,"from":1,"to":0,"port":0,"pieces":[{"sum_of":[1]}]}
{"step":1,"from":3,"to":2,"port":0,"pieces":[{}]}
{"step":2,"from":2,"to":0,"port":1,"pieces":[{"sum_of":[2]}]}
{"step":3,"from":2,"to":0,"port":1,"pieces":[{"sum_of":[[3,3]]}]}
)";

// The line that refuses `file`.
std::string refusal(const std::string& command, const std::string& file)
{
    const Outcome outcome = dcube_line(command, {.input = file});
    CHECK(outcome.exit_code != 0);
    CHECK(outcome.out.empty());
    return outcome.err;
}

std::string replaced(std::string text, const std::string& old, const std::string& fresh)
{
    const std::size_t at = text.find(old);
    REQUIRE(at != std::string::npos);
    return text.replace(at, old.size(), fresh);
}

}  // namespace

TEST_CASE("trace: a sum's piece says who is in it, as ids and ranges", "[cli][sums]")
{
    const std::string trace = trace_of("reduce --dim 3 --ports one --bytes 4");
    CHECK_THAT(trace, Catch::Contains(R"("pieces":[{"origin":null,"target":0,"offset":0,"length":4,"sum_of":[7]}]})"));
    CHECK_THAT(trace_of("all-reduce --dim 2 --algorithm exchange-one-port --ports one --bytes 4"),
               Catch::Contains(R"("length":4,"sum_of":[[0,1]]}]})"));
    CHECK_THAT(trace_of("gather --dim 2 --bytes 4"), !Catch::Contains("sum_of"));
}

TEST_CASE("replay: sums that are kept apart are sent apart, checked and told", "[cli][sums]")
{
    for (const char* const links : {"", " --tau 1 --beta 9"}) {
        const TemporaryFolder folder;
        const Outcome run = dcube_line(std::string("replay - reduce --dim 2 --bytes 4 --type int32 --trace ") +
                                           folder.file("t") + links,
                                       {.input = apart});
        CAPTURE(run.err);
        REQUIRE(run.exit_code == 0);
        const std::string again = read_text(folder.file("t"));
        CHECK_THAT(again, Catch::Contains(R"("sum_of":[2])") && Catch::Contains(R"("sum_of":[3])"));
        CHECK(dcube_line("verify -", {.input = again}).exit_code == 0);
    }
    CHECK(refusal("replay - reduce --dim 2 --bytes 4", replaced(apart, "\"sum_of\":[2]", "\"sum_of\":[2,1]")) ==
          "dcube: line 3: node 2 sends node 1's contribution to byte 0 of the sum for node 0 in step 2 but does not "
          "have it yet\n");
    CHECK(refusal("replay - reduce --dim 2 --bytes 4", replaced(apart, "\"sum_of\":[2]", "\"sum_of\":[2,2]")) ==
          "dcube: line 3: \"sum_of\" has node 2 twice: once is allowed\n");
}
