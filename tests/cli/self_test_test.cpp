// dcube self-test: that it passes here.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <dcube/version.hpp>

#include <filesystem>
#include <string>
#include <vector>

using namespace dcube;
using namespace dcube::test;

TEST_CASE("self-test: it passes, and prints a line for each check and one for all", "[cli][self-test]")
{
    const Outcome outcome = dcube_program({"self-test"});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    CHECK(lines_of(outcome.out) ==
          std::vector<std::string>{"all-to-all on hypercube:4 is verified", "all-reduce on torus:4x3 is verified",
                                   "a trace is accepted, and refused without its last packet",
                                   "a broken rule is noticed", "dcube " + std::string(version()) + " works"});
}

TEST_CASE("self-test: a missing dcube-tools is reported", "[cli][self-test][long]")
{
    const TemporaryFolder folder;
    std::filesystem::copy_file(DCUBE_PROGRAM, folder.file("dcube"));
    const Outcome outcome = dcube_program({"self-test"}, {.program = {folder.file("dcube")}});
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, Catch::Contains("dcube-tools is not beside this program"));
    CHECK(folder.names() == std::vector<std::string>{"dcube"});  // nothing was written beside it
}
