// What the program says to command lines that cannot be meant: one line, nothing on standard output, exit 2.

#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <dcube/catalogue.hpp>

#include <algorithm>

using namespace dcube::test;

TEST_CASE("usage: a complaint stays one line whatever is in the argument", "[cli][negative]")
{
    const Outcome outcome = dcube_program({"run", "all-to-all\nand more\r\033[31m", "--dim", "3"});
    CHECK(outcome.exit_code == 2);
    CHECK(std::ranges::count(outcome.err, '\n') == 1);
    CHECK(outcome.err.find('\033') == std::string::npos);
}

TEST_CASE("usage: an algorithm for all ports is refused on a machine with one", "[cli][negative]")
{
    for (const dcube::Algorithm& algorithm : dcube::catalogue()) {
        if (algorithm.ports != dcube::PortModel::all || algorithm.link != dcube::LinkKind::unit)
            continue;
        CAPTURE(name(algorithm.collective), algorithm.name);
        const Outcome outcome = dcube_program({"run", std::string(name(algorithm.collective)), "--dim", "3", "--ports",
                                               "one", "--algorithm", std::string(algorithm.name)});
        CHECK(outcome.exit_code == 2);
        CHECK(std::ranges::count(outcome.err, '\n') == 1);
    }
}

TEST_CASE("usage: standard output that cannot be written is an error", "[cli][negative]")
{
    const Outcome outcome = dcube_line("list", {.out_file = "/dev/full"});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err == "dcube: cannot write to standard output\n");
}
