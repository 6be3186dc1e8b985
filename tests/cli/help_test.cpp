// Help and version.

#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

using namespace dcube::test;

TEST_CASE("help: the program and each command explain themselves with examples", "[cli]")
{
    for (const char* const line : {"--help", "-h", "run --help", "run all-to-all --dim x --help", "verify -h",
                                   "list --help", "compare --help", "histogram --help"}) {
        CAPTURE(line);
        const Outcome outcome = dcube_line(line);
        CHECK(outcome.exit_code == 0);
        CHECK(outcome.err.empty());
        CHECK_THAT(outcome.out, Catch::Contains("Examples:\n  dcube "));
        for (const std::string& one : lines_of(outcome.out))
            CHECK(one.size() <= 80);
    }
}

TEST_CASE("help: each example in it works", "[cli]")
{
    // Those without files; the others are tested with theirs.
    for (const char* const command : {"--help", "run --help", "list --help", "compare --help"}) {
        for (const std::string& line : lines_of(dcube_line(command).out)) {
            if (!line.starts_with("  dcube ") || line.find("FILE") != std::string::npos ||
                line.find(".jsonl") != std::string::npos || line.find('"') != std::string::npos ||
                line.find("--input") != std::string::npos || line.find("COMMAND") != std::string::npos)
                continue;
            CAPTURE(line);
            CHECK(dcube_line(line.substr(8)).exit_code == 0);
        }
    }
}

TEST_CASE("help: the version is the project's", "[cli]")
{
    const Outcome outcome = dcube_line("--version");
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out == "dcube " DCUBE_VERSION "\n");
}
