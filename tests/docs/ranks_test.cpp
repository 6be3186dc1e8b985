// docs/measurements/ranks, beside a dcube that reports the same of every run.

#include "tests/docs/documents.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <filesystem>
#include <string>
#include <vector>

using namespace dcube::test;

namespace {

Outcome ranks_table(const TemporaryFolder& folder, const std::string& dcube, const std::vector<std::string>& arguments)
{
    const std::string program = folder.file("dcube");
    write_text(program, "#!/bin/sh\n" + dcube + "\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    Start start;
    start.program = {source_path("docs/measurements/ranks")};
    start.variables = {{"DCUBE", program}};
    return dcube_program(arguments, start);
}

}  // namespace

TEST_CASE("ranks: the table has time and share of communication of every run", "[docs]")
{
    const TemporaryFolder folder;
    const std::string asked = folder.file("asked");
    const std::string report =
        R"(printf '{\n  "steps": 40,\n  "wall_seconds": 0.002,\n  "communication_seconds": %s\n}\n' )"
        R"($(case "$*" in *"--ranks 1 "*) echo null ;; *) echo 0.0005 ;; esac))";
    const Outcome outcome =
        ranks_table(folder, "echo \"$*\" >> " + asked + "\n" + report, {"--small", "--channel", "spsc"});
    CHECK(outcome.err.empty());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, Catch::Contains("| d = 2, 8 | 2 ms (0 %) | 2 ms (0 %) | 2 ms (25 %) | 2 ms (25 %) | "
                                            "2 ms (25 %) |\n"));
    CHECK_THAT(outcome.out, Catch::Contains("| 50 us a step | 50 us a step | 50 us a step |\n"));
    const std::vector<std::string> runs = lines_of(read_text(asked));
    REQUIRE(runs.size() == 8);
    CHECK(runs[3] == "run all-to-all --dim 2 --bytes 8 --ranks 2 --threads 2 --channel spsc --repeat 1 "
                     "--format json");
    for (const std::string& run : runs)
        CHECK_THAT(run, Catch::Contains("--channel spsc"));
}

TEST_CASE("ranks: a run that fails ends the table with its exit code", "[docs][negative]")
{
    const TemporaryFolder folder;
    CHECK(ranks_table(folder, "echo no mpirun >&2; exit 2", {"--small"}).exit_code == 2);
}
