#include "cli/launch.hpp"

#include "cli/files/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/ranks.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <regex>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace dcube::cli {

namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

// The first argument of the programs started here, and the line that their rank 0 prints to standard error at its end.
// Launchers pass on both, also to and from other hosts.
constexpr std::string_view launch_word = "--started-by-dcube";
constexpr const char* farewell_of_ranks = "dcube: all ranks have come to their end";

bool& started_here()
{
    static bool started = false;
    return started;
}

bool can_be_run(const fs::path& file)
{
    std::error_code ignored;
    return fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
}

bool is_on_path(const std::string& program)
{
    if (program.find('/') != std::string::npos)
        return can_be_run(program);
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');)
        if (can_be_run(fs::path(folder) / program))
            return true;
    return false;
}

Words words_of(const std::string& text)
{
    std::istringstream stream(text);
    Words words;
    for (std::string word; stream >> word;)
        words.push_back(word);
    return words;
}

// The launcher of the MPI that this program was built with, if it still exists, else the mpirun or mpiexec on the path.
std::string usual_launcher()
{
    const std::string built_with = DCUBE_MPIRUN;
    for (const std::string& one : {built_with, std::string("mpirun"), std::string("mpiexec")})
        if (!one.empty() && is_on_path(one))
            return one;
    throw InvalidArgument(
        fmt::format("--ranks needs mpirun, which is not found: {}, or name another with --launcher", how_to_get_mpi));
}

// The first line that the launcher prints for --version.
std::string version_of(const std::string& launcher)
{
    const std::string command = launcher + " --version 2>&1";
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::string text;
    std::array<char, 256> piece{};
    while (pipe && std::fgets(piece.data(), piece.size(), pipe.get()) != nullptr)
        text += piece.data();
    return text.substr(0, text.find('\n'));
}

// It names itself "mpirun (Open MPI) 4.1.4" or "mpiexec (OpenRTE) 4.1.4".
bool is_of_open_mpi(const std::string& version)
{
    return version.find("(Open MPI)") != std::string::npos || version.find("(OpenRTE)") != std::string::npos;
}

// Ranks may take whatever processors there are: threads are ours, and more ranks than cores are allowed.
Words launcher_of_open_mpi(const std::string& program, const std::string& version)
{
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    if (version.find(") 5.") != std::string::npos)
        return {program, "--bind-to", "none", "--map-by", ":OVERSUBSCRIBE"};
    return {program, "--bind-to", "none", "--oversubscribe"};
}

Words launcher_words(const LaunchRequest& request)
{
    if (request.launcher) {
        Words words = words_of(*request.launcher);
        if (words.empty())
            throw InvalidArgument("--launcher is empty: expected a command, e.g. mpirun");
        if (!is_on_path(words.front()))
            throw InvalidArgument(
                fmt::format("the launcher {} is not found: ./dcube mpi-setup installs mpirun", words.front()));
        return words;
    }
    const std::string program = usual_launcher();
    const std::string version = version_of(program);
    return is_of_open_mpi(version) ? launcher_of_open_mpi(program, version) : Words{program};
}

// A signal's number and name: "9 (Killed)".
std::string signal_text(int signal)
{
    return fmt::format("{} ({})", signal, strsignal(signal));
}

// What the launcher and the ranks print to standard error, line by line. All of it is passed on, except for the ranks'
// farewell and for what is summarised in one line at the end: that a rank was ended by a signal, and what follows from
// it. Open MPI reports that in paragraphs between lines of dashes.
class Overheard {
public:
    void take(const std::string& line)
    {
        if (line.find(farewell_of_ranks) != std::string::npos)
            has_ended_ = true;
        else if (line.size() > 20 && line.find_first_not_of('-') == std::string::npos)
            turn_paragraph(line);
        else if (in_paragraph_)
            paragraph_ += line + '\n';
        else
            pass_on(line + '\n');
    }
    void end()
    {
        if (in_paragraph_)
            turn_paragraph("");
    }

    [[nodiscard]] bool has_ended() const { return has_ended_; }
    [[nodiscard]] bool has_said() const { return has_said_; }
    [[nodiscard]] const std::string& killed() const { return killed_; }

private:
    void turn_paragraph(const std::string& dashes)
    {
        in_paragraph_ = !in_paragraph_;
        if (in_paragraph_) {
            paragraph_ = dashes + '\n';
            return;
        }
        static const std::regex signal(R"(process rank (\d+)[\s\S]* exited on signal (\d+))");
        static const std::regex follows("non-zero (exit code|status)");
        if (std::smatch found; std::regex_search(paragraph_, found, signal))
            killed_ = fmt::format("rank {} was ended by signal {}", found.str(1),
                                  signal_text(std::atoi(found.str(2).c_str())));
        else if (!std::regex_search(paragraph_, follows))
            pass_on(paragraph_ + dashes + '\n');
    }
    void pass_on(const std::string& text)
    {
        has_said_ = true;
        std::fwrite(text.data(), 1, text.size(), stderr);
    }

    bool in_paragraph_ = false;
    std::string paragraph_;
    bool has_ended_ = false;
    bool has_said_ = false;
    std::string killed_;
};

// The launcher while it runs, and the signals that ask it to end.
volatile std::sig_atomic_t launcher_process = 0;
volatile std::sig_atomic_t asked_to_end = 0;

// Passes a signal on to the launcher, unless it comes from a terminal, which sends it to the launcher, too.
void hand_on(int signal, siginfo_t* info, void*)
{
    asked_to_end = 1;
    if (info->si_code != SI_KERNEL && launcher_process > 0)
        kill(launcher_process, signal);
}

void hand_on_signals()
{
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
        struct sigaction action {};
        if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
            continue;
        action = {};
        action.sa_sigaction = hand_on;
        action.sa_flags = SA_SIGINFO;
        sigaction(signal, &action, nullptr);
    }
}

// Does not outlive this process.
[[noreturn]] void become(const std::vector<char*>& words, int standard_error, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    dup2(standard_error, STDERR_FILENO);
    if (getppid() == parent)
        execvp(words.front(), words.data());
    _exit(127);
}

void overhear(int from, Overheard& overheard)
{
    std::string line;
    std::array<char, 4096> piece{};
    for (ssize_t got = 1; got != 0;) {
        got = read(from, piece.data(), piece.size());
        for (const char c : std::string_view(piece.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)))) {
            if (c != '\n')
                line += c;
            else
                overheard.take(std::exchange(line, ""));
        }
        if (got < 0 && errno != EINTR)
            break;
    }
    if (!line.empty())
        overheard.take(line);
    overheard.end();
}

int complained(std::string_view message, int code)
{
    complain(message);
    return code;
}

// Prints what the user has to know about how the launcher ended, and returns the exit code.
int verdict_on(int status, const Overheard& overheard, const std::string& launcher)
{
    if (asked_to_end != 0)
        return complained("interrupted", interrupted_code);
    if (WIFSIGNALED(status))
        return complained(fmt::format("{} was ended by signal {}", launcher, signal_text(WTERMSIG(status))),
                          128 + WTERMSIG(status));
    const int code = WEXITSTATUS(status);
    if (!overheard.killed().empty())
        return complained(overheard.killed(), code == 0 ? 1 : code);
    if (code == 0 && !overheard.has_ended())
        return complained(fmt::format("{} ended, but no rank finished: does it start programs?", launcher), 1);
    if (code != 0 && !overheard.has_ended() && !overheard.has_said())
        return complained(fmt::format("{} ended with exit code {}, and no rank of dcube said why", launcher, code),
                          code);
    return code;
}

int run_launcher(Words words, const char* const* argv)
{
    std::vector<char*> pointers;
    pointers.reserve(words.size());
    for (std::string& word : words)
        pointers.push_back(word.data());
    for (const char* const* one = argv + 1; *one != nullptr; ++one)
        pointers.push_back(const_cast<char*>(*one));
    pointers.push_back(nullptr);
    std::fflush(stdout);
    if (isatty(STDOUT_FILENO) != 0)
        setenv("CLICOLOR_FORCE", "1", 0);           // the ranks cannot know
    setenv("OMPI_MCA_orte_execute_quiet", "0", 1);  // Overheard wants to know who was killed
    std::array<int, 2> ends{};
    hand_on_signals();
    const pid_t self = getpid();
    const pid_t child = pipe2(ends.data(), O_CLOEXEC) == 0 ? fork() : -1;
    if (child == 0)
        become(pointers, ends[1], self);
    if (child < 0)
        throw InvalidArgument(
            fmt::format("cannot start {}: {}", words.front(), std::generic_category().message(errno)));
    launcher_process = child;
    if (asked_to_end != 0)  // before there was one
        kill(child, SIGTERM);
    close(ends[1]);
    Overheard overheard;
    overhear(ends[0], overheard);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    launcher_process = 0;
    close(ends[0]);
    return verdict_on(status, overheard, words.front());
}

}  // namespace

std::string program_beside(const char* name)
{
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path() / name;
    return can_be_run(program) ? program.string() : "";
}

void take_launch_word(int& argc, char**& argv)
{
    if (argc < 2 || argv[1] != launch_word)
        return;
    started_here() = true;
    argv[1] = argv[0];
    ++argv;
    --argc;
}

bool launched_by_dcube()
{
    return started_here();
}

void say_farewell()
{
    if (started_here() && is_output_rank())
        std::fprintf(stderr, "%s\n", farewell_of_ranks);
}

LaunchRequest& launch_request()
{
    static LaunchRequest only;
    return only;
}

std::optional<int> launch(const LaunchRequest& request, const char* const* argv)
{
    const Launched start = launched();
    if (!start.by.empty()) {
        if (request.ranks && *request.ranks != start.ranks)
            throw InvalidArgument(fmt::format("--ranks {}, but {} has started {}: leave one of the two out",
                                              *request.ranks, start.by, start.ranks));
        return {};
    }
    if (!request.launcher && request.ranks.value_or(1) == 1) {
        if (request.rank_timeout)
            throw InvalidArgument("--rank-timeout is for several ranks: give --ranks, too");
        return {};
    }
    const std::string program = program_beside("dcube-mpi");
    if (program.empty())
        throw InvalidArgument(fmt::format("{} needs MPI, and this dcube was built without it: {}",
                                          request.ranks ? "--ranks" : "--launcher", how_to_get_mpi));
    Words words = launcher_words(request);
    if (started_here())
        throw InvalidArgument(fmt::format(
            "{} has started this program, but this build's MPI does not recognise the ranks", words.front()));
    if (request.ranks) {
        words.emplace_back("-n");
        words.push_back(std::to_string(*request.ranks));
    }
    words.push_back(program);
    words.emplace_back(launch_word);
    return run_launcher(std::move(words), argv);
}

}  // namespace dcube::cli
