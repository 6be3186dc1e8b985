// dcube explain, run --explain and --trace-format table, as a user runs them.

#include "tests/inspect/explain/arithmetic.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <string>
#include <vector>

using namespace dcube::test;

TEST_CASE("explain: an algorithm is explained with its formula, steps and proof", "[cli][explain]")
{
    const Outcome outcome = executed("explain balanced-tree --collective scatter --dim 5");
    CHECK(outcome.exit_code == 0);
    for (const char* const part : {"steps = ceil(m (N - 1)/d)\n", "= 7\n", "= 80\n", "step 1  0->1:7 0->2:6 0->4:5\n",
                                   "Why no algorithm needs fewer than 7 steps", "31 / 5 = 6.2, so 7 steps",
                                   "Bertsekas et al. 1991, section 3", "dcube run scatter --dim 3"})
        CHECK_THAT(outcome.out, Catch::Contains(part));
    for (const std::string& line : lines_of(outcome.out))
        CHECK((line.size() <= 80 || line.starts_with("  dcube ")));
}

TEST_CASE("explain: the commands that it suggests can be run", "[cli][explain][long]")
{
    std::size_t tried = 0;
    for (const char* const subject :
         {"total-exchange", "balanced-tree --collective gather", "waves --collective scatter",
          "inversion --collective permute", "logical-cubes", "L5", "antipode", "homogeneous"})
        for (std::string line : lines_of(executed(std::string("explain ") + subject).out))
            if (line.starts_with("  dcube ")) {
                std::erase(line, '"');
                CAPTURE(subject, line);
                CHECK(executed(line.substr(8)).exit_code == 0);
                ++tried;
            }
    CHECK(tried > 20);
}

TEST_CASE("explain: names of several things are listed, unknown ones are refused in one line", "[cli][explain]")
{
    const Outcome several = executed("explain optimal");
    CHECK(several.exit_code == 0);
    CHECK_THAT(several.out, Catch::Contains("is the name of several things"));
    CHECK_THAT(several.out, Catch::Contains("equal to a lower bound"));
    for (const char* const line : {"explain xyzzy", "explain optimal --collective send", "explain two-centre --dim 4",
                                   "explain L5 --root 3", "explain L5 --format json"}) {
        CAPTURE(line);
        const Outcome wrong = executed(line);
        CHECK(wrong.exit_code == 2);
        CHECK(lines_of(wrong.err).size() == 1);
    }
    CHECK(executed("explain L5 --format markdown").out.starts_with("# The bound L5"));
}

TEST_CASE("explain: without a word it lists the kinds of words, and the commands that it suggests work",
          "[cli][explain]")
{
    const Outcome overview = executed("explain");
    CHECK(overview.exit_code == 0);
    for (const char* const kind : {"collectives", "algorithms", "bounds", "words", "letters", "values"})
        CHECK_THAT(overview.out, Catch::Contains(std::string("\n  ") + kind + " "));
    check_refused("explain --dim 3", "--dim does not apply to the list of all words: name a WORD");
    CHECK_THAT(executed("explain --format markdown").out, Catch::Contains("# What dcube explain knows"));
}

TEST_CASE("explain: a name with several meanings has all of them", "[cli][explain]")
{
    const std::string scatter = executed("explain scatter").out;
    CHECK(scatter.starts_with("scatter\n"));
    CHECK_THAT(scatter, Catch::Contains("The name's other meanings\n  a value  --pin: each thread keeps to"));
    const std::string all = executed("explain all").out;
    for (const char* const option : {"--ports: ", "--threads: "})
        CHECK_THAT(all, Catch::Contains(option));
}

TEST_CASE("explain: options that say nothing of what is explained are refused", "[cli][explain][negative]")
{
    check_refused("explain tau --root 3", "--root does not apply to a word");
    check_refused("explain L5 --bytes 3 --groups 2", "--bytes does not apply to a bound without a network");
    CHECK_THAT(executed("explain L7 --topology ring:5 --ports one").out, Catch::Contains("one port"));
    CHECK_THAT(executed("explain L7 --topology ring:5").out, Catch::Contains("all ports"));
    check_refused("explain L2 --topology ring:5 --ports all", "L2 does not bind");
}

TEST_CASE("explain: an error in a schedule's file names the file", "[cli][explain][negative]")
{
    const TemporaryFolder folder;
    check_refused("explain @" + folder.file(""), "cannot read '" + folder.file("") + "': Is a directory");
    const std::string newer = folder.file("newer.jsonl");
    write_text(newer, "{\"dcube_trace\": 7}\n");
    check_refused("explain @" + newer, newer + ": line 1: unsupported trace version 7 (this dcube reads version 1)");
}

TEST_CASE("run: --explain tells why after the report, with the report's own numbers", "[cli][explain]")
{
    const Outcome outcome = executed("run all-to-all --dim 3 --explain");
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, Catch::Contains("Why no algorithm needs fewer than 4 steps"));
    CHECK_THAT(outcome.out, Catch::Contains("16 / 4 = 4 steps"));
    CHECK_THAT(outcome.out, Catch::Contains("It takes 4 steps: the fewest there can be."));
    CHECK(executed("run all-to-all --dim 2,3 --explain").exit_code == 2);
    CHECK(executed("run all-to-all --dim 3 --explain --format json").exit_code == 2);
    CHECK(executed("run broadcast --dim 0 --explain").exit_code == 0);
}

TEST_CASE("run: --trace-format table is a trace for people", "[cli][trace]")
{
    const Outcome outcome = executed("run scatter --dim 2 --trace-format table");
    CHECK(outcome.exit_code == 0);
    const std::vector<std::string> lines = lines_of(outcome.out);
    REQUIRE(lines.size() > 5);
    CHECK(lines[0] == "  step   from     to  port     bytes  what");
    CHECK(lines[1] == "     1      0      1     0        64  0>3");
    CHECK(lines[4] == "     2      1      3     1        64  0>3");
    const TemporaryFolder folder;
    const std::string file = folder.file("t.txt");
    CHECK(executed("run scatter --dim 2 --format json --trace-format table --trace " + file).exit_code == 0);
    CHECK(lines_of(read_text(file)).front() == lines[0]);
    for (const char* const wrong :
         {"run scatter --dim 2 --trace-format jsonl", "run scatter --dim 2 --trace-format table --format json",
          "run scatter --dim 2,3 --trace-format table", "run scatter --dim 2 --trace-format xml"}) {
        CAPTURE(wrong);
        CHECK(executed(wrong).exit_code == 2);
    }
}

TEST_CASE("explain: where links take time and only algorithms for unit steps are there, the bound is explained",
          "[cli]")
{
    const std::string page =
        executed("explain all-to-all --topology petersen --counts poisson:2 --tau 1 --beta 10").out;
    CHECK_THAT(page, Catch::Contains("Why no algorithm needs less than 855 ns"));
    CHECK_THAT(page, Catch::Contains("A byte on every link costs 5"));
    CHECK(executed("explain all-to-all --topology petersen --tau 1 --beta 10").exit_code == 0);
}
