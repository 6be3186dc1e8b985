// Terminals, pipes and signals.

#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

using namespace dcube::test;

namespace {

// A pseudo-terminal: what is written to it under its name can be read from it here.
class Terminal {
public:
    Terminal() : side_(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC))
    {
        REQUIRE(side_ >= 0);
        REQUIRE(grantpt(side_) == 0);
        REQUIRE(unlockpt(side_) == 0);
        other_side_ = open(name().c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);  // keeps what was written until it is read
    }
    ~Terminal()
    {
        close(side_);
        close(other_side_);
    }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    [[nodiscard]] std::string name() const { return ptsname(side_); }

    [[nodiscard]] std::string written() const
    {
        fcntl(side_, F_SETFL, O_NONBLOCK);
        std::string text;
        std::array<char, 4096> buffer{};
        for (ssize_t got = 0; (got = read(side_, buffer.data(), buffer.size())) > 0;)
            text.append(buffer.data(), static_cast<std::size_t>(got));
        return text;
    }

private:
    int side_;
    int other_side_ = -1;
};

bool coloured(const std::string& text)
{
    REQUIRE_THAT(text, Catch::Contains("optimal"));
    return text.find('\033') != std::string::npos;
}

bool coloured_in_pipe(const std::string& options, const Variables& variables)
{
    return coloured(dcube_line("run scatter --dim 2 " + options, {.variables = variables}).out);
}

bool coloured_on_terminal(const std::string& options, const Variables& variables)
{
    const Terminal terminal;
    const Outcome outcome =
        dcube_line("run scatter --dim 2 " + options, {.variables = variables, .out_file = terminal.name()});
    CHECK(outcome.exit_code == 0);
    return coloured(terminal.written());
}

}  // namespace

TEST_CASE("terminal: the option decides about colour, then NO_COLOR, CLICOLOR_FORCE and TERM", "[cli]")
{
    const Variables all{{"NO_COLOR", "1"}, {"CLICOLOR_FORCE", "1"}, {"TERM", "dumb"}};
    CHECK(!coloured_in_pipe("", {}));
    CHECK(!coloured_in_pipe("", {{"TERM", "xterm"}}));
    CHECK(coloured_in_pipe("--color always", all));
    CHECK(!coloured_in_pipe("--color auto", all));
    CHECK(coloured_in_pipe("", {{"CLICOLOR_FORCE", "1"}, {"TERM", "dumb"}}));
    CHECK(!coloured_in_pipe("", {{"CLICOLOR_FORCE", "0"}}));
    CHECK(coloured_in_pipe("", {{"NO_COLOR", ""}, {"CLICOLOR_FORCE", "1"}}));
    CHECK(!coloured_in_pipe("--color never", {{"CLICOLOR_FORCE", "1"}}));
    CHECK(coloured_on_terminal("", {{"TERM", "xterm"}}));
    CHECK(!coloured_on_terminal("", {{"TERM", "dumb"}}));
    CHECK(!coloured_on_terminal("", {{"TERM", "xterm"}, {"NO_COLOR", "1"}}));
    CHECK(!coloured_on_terminal("--color never", {{"TERM", "xterm"}}));
}

TEST_CASE("terminal: JSON and CSV are never coloured", "[cli]")
{
    for (const char* const format : {"json", "csv"}) {
        const Outcome outcome = dcube_line(std::string("run scatter --dim 2 --color always --format ") + format);
        CHECK(outcome.out.find('\033') == std::string::npos);
    }
}

TEST_CASE("terminal: there is no progress bar in a pipe", "[cli]")
{
#ifdef DCUBE_SANITIZED
    const char* const line = "run all-to-all --dim 5 --repeat 3";
#else
    const char* const line = "run all-to-all --dim 9 --repeat 40";  // takes more than the half second that a bar waits
#endif
    const Outcome outcome = dcube_line(line, {.variables = {{"TERM", "xterm"}}});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
}

TEST_CASE("terminal: the progress of planning is shown, and erased in the end", "[cli]")
{
    const Terminal terminal;
    const TemporaryFolder folder;
    std::string edges;
    for (int node = 0; node < 400; ++node) {
        edges += fmt::format("{} {}\n", node, (node + 1) % 400);
        if (node % 4 == 0)
            edges += fmt::format("{} {}\n", node, (node + 203) % 400);
    }
    write_text(folder.file("network"), edges);
    const std::string line = fmt::format("exec {} run all-gather --ports one --packets 20 --topology graph:{} 2>{}",
                                         DCUBE_PROGRAM, folder.file("network"), terminal.name());
    Running run({line}, {.variables = {{"TERM", "xterm"}}, .program = {"sh", "-c"}});
    std::string seen;
    while (seen.find(" %") == std::string::npos && run.alive()) {
        seen += terminal.written();
        std::this_thread::yield();
    }
    run.send(SIGINT);
    CHECK(run.finish().exit_code == 130);
    seen += terminal.written();
    CHECK_THAT(seen, Catch::Contains("\rplanning "));
    CHECK_THAT(seen, Catch::Contains(" %\033[K"));
    CHECK_THAT(seen, Catch::EndsWith("\r\033[Kdcube: interrupted\r\n"));
}

TEST_CASE("terminal: an interrupted run ends with 130 and leaves no file", "[cli]")
{
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
        const TemporaryFolder folder;
        Running run({"run", "all-to-all", "--dim", "6", "--repeat", "1000000", "--output", folder.file("out")});
        while (!folder.in_use() && run.alive())
            std::this_thread::yield();  // until the output shows that the run has begun
        run.send(signal);
        const Outcome outcome = run.finish();
        CHECK(outcome.exit_code == 130);
        CHECK(outcome.out.empty());
        CHECK(outcome.err == "dcube: interrupted\n");
        CHECK(folder.names().empty());
    }
}

TEST_CASE("terminal: a run is interrupted also while nothing asks whether it should stop", "[cli]")
{
    const TemporaryFolder folder;
    Running run({"run", "broadcast", "--dim", "4", "--bytes", "40000000", "--groups", "4000000", "--tau", "1", "--beta",
                 "1", "--output", folder.file("out")});
    while (!folder.in_use() && run.alive())
        std::this_thread::yield();
    run.send(SIGTERM);
    const Outcome outcome = run.finish();
    CHECK(outcome.exit_code == 130);
    CHECK(outcome.err == "dcube: interrupted\n");
    CHECK(folder.names().empty());
}

TEST_CASE("terminal: the peak memory is the process' own", "[cli][slow]")
{
    const std::vector<char> held(std::size_t{256} << 20, 1);  // the program may be started by a larger process
    const Outcome outcome = dcube_line("run scatter --dim 3 --format json");
    const std::size_t at = outcome.out.find("\"peak_memory_bytes\": ");
    REQUIRE(at != std::string::npos);
    CHECK(std::stoull(outcome.out.substr(at + 21)) < held.size());
}
