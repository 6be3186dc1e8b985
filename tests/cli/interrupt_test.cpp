// Signals that ask the program to end, whatever it does.

#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <sys/stat.h>

#include <csignal>
#include <fstream>
#include <string>
#include <vector>

using namespace dcube::test;

TEST_CASE("signals: a command that still reads its file is interrupted as one that runs is", "[cli][slow]")
{
    const TemporaryFolder folder;
    const std::string pipe = folder.file("pipe");
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    for (const std::vector<std::string>& words : {std::vector<std::string>{"replay", pipe},
                                                  {"verify", pipe},
                                                  {"run", "all-gather", "--dim", "2", "--input", pipe},
                                                  {"histogram", "--dim", "2", "--input", pipe},
                                                  {"bench", "--read", pipe}})
        for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
            CAPTURE(words, signal);
            Running program(words);
            const std::ofstream writer(pipe);  // waits until the program reads
            program.send(signal);
            const Outcome outcome = program.finish();
            CHECK(outcome.exit_code == 130);
            CHECK(outcome.out.empty());
            CHECK(outcome.err == "dcube: interrupted\n");
        }
}

TEST_CASE("signals: those that the program was started to ignore stay ignored", "[cli]")
{
    const TemporaryFolder folder;
    const std::string trace = folder.file("t");
    const std::string pipe = folder.file("pipe");
    REQUIRE(dcube_line("run scatter --dim 2 --trace " + trace).exit_code == 0);
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    Running program({"verify", pipe}, {.program = {"sh", "-c", "trap '' INT HUP; exec \"$0\" \"$@\"", DCUBE_PROGRAM}});
    {
        std::ofstream writer(pipe);
        program.send(SIGINT);
        program.send(SIGHUP);
        writer << read_text(trace);
    }
    const Outcome outcome = program.finish();
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
}
