// dcube self-test: that it passes here.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <dcube/version.hpp>

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
