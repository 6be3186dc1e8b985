// Signals that ask the program to end, whatever it does.

#include "cli/files/interrupt.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <string>
#include <vector>

using namespace dcube::test;
using dcube::cli::Interrupt;

namespace {

// A process that waits for a signal.
pid_t waiting_process()
{
    const pid_t child = fork();
    if (child == 0) {
        std::signal(SIGTERM, SIG_DFL);  // not by Catch
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr);
        for (;;)
            pause();
    }
    return child;
}

int signal_that_ended(pid_t child)
{
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

}  // namespace

TEST_CASE("signals: a request to stop is passed on to a child, and to one that is started later", "[cli]")
{
    Interrupt interrupt;
    const pid_t first = waiting_process();
    REQUIRE(first > 0);
    {
        const Interrupt::PassedOn passed_on(interrupt, first);
        kill(getpid(), SIGINT);
        CHECK(signal_that_ended(first) == SIGTERM);
    }
    CHECK(interrupt.token().stop_requested());
    const pid_t second = waiting_process();
    REQUIRE(second > 0);
    const Interrupt::PassedOn passed_on(interrupt, second);
    CHECK(signal_that_ended(second) == SIGTERM);
}

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
