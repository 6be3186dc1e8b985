// docs/measurements/irregular, beside a dcube that plans the same for every network.

#include "tests/docs/documents.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <filesystem>
#include <string>
#include <vector>

using namespace dcube::test;

namespace {

Outcome irregular_table(const TemporaryFolder& folder, const std::string& dcube)
{
    const std::string program = folder.file("dcube");
    write_text(program, "#!/bin/sh\n" + dcube + "\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    Start start;
    start.program = {source_path("docs/measurements/irregular")};
    start.variables = {{"DCUBE", program}};
    return dcube_program({"--small"}, start);
}

}  // namespace

TEST_CASE("irregular: the table counts the cases at the bound, and has the worst ratio", "[docs]")
{
    const TemporaryFolder folder;
    const std::string asked = folder.file("asked");
    const Outcome outcome = irregular_table(
        folder, "echo \"$*\" >> " + asked + R"(; printf '  "steps": %d,\n  "steps_lower_bound": %d,\n' 4 4 6 4 5 5)");
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err == "1 networks\n");
    CHECK_THAT(outcome.out, Catch::Contains("| all-gather | 2 of 3, 1.50 | 2 of 3, 1.50 |\n"));
    const std::vector<std::string> runs = lines_of(read_text(asked));
    REQUIRE(runs.size() == 17);  // one for the network, and eight collectives with both port models
    CHECK(runs[1] == "run send --peer 7 --ports all --topology hypercube:3 --fault-rate 0.1 --seed 1 --packets 1,3,17 "
                     "--dry-run --format json");
}

TEST_CASE("irregular: a case that cannot be planned ends the table", "[docs][negative]")
{
    const TemporaryFolder folder;
    CHECK(irregular_table(folder, "case \"$*\" in *all-gather*) exit 2 ;; esac").exit_code != 0);
}
