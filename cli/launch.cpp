#include "cli/launch.hpp"

#include "cli/launched.hpp"
#include "cli/ranks.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

namespace dcube::cli {

namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

constexpr const char* launch_mark = "DCUBE_LAUNCHED";  // in the environment of what we have started

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

// That of the MPI that this was built with, if it is still there.
std::string usual_launcher()
{
    const std::string built_with = DCUBE_MPIRUN;
    for (const std::string& one : {built_with, std::string("mpirun"), std::string("mpiexec")})
        if (!one.empty() && is_on_path(one))
            return one;
    throw InvalidArgument(fmt::format("--ranks needs mpirun, which is not there: {}, or name another with --launcher",
                                      how_to_get_mpi));
}

// The first line of what it says of itself.
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

// Ranks may take whatever processors there are: threads are ours, and more ranks than cores are allowed. What Open MPI
// says of ranks that end with an error is said already.
Words launcher_of_open_mpi(const std::string& program, const std::string& version)
{
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    setenv("OMPI_MCA_orte_execute_quiet", "1", 0);
    if (version.find(") 5.") != std::string::npos)
        return {program, "--bind-to", "none", "--map-by", ":OVERSUBSCRIBE"};
    return {program, "--bind-to", "none", "--oversubscribe"};
}

Words launcher_words(const LaunchWish& wish)
{
    if (wish.launcher) {
        Words words = words_of(*wish.launcher);
        if (words.empty())
            throw InvalidArgument("--launcher is empty: a command such as mpirun is allowed");
        if (!is_on_path(words.front()))
            throw InvalidArgument(fmt::format("the launcher {} is not there: ./dcube mpi-setup installs mpirun",
                                              words.front()));
        return words;
    }
    const std::string program = usual_launcher();
    const std::string version = version_of(program);
    return is_of_open_mpi(version) ? launcher_of_open_mpi(program, version) : Words{program};
}

[[noreturn]] void become(Words words, const char* const* argv)
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
        setenv("CLICOLOR_FORCE", "1", 0);  // the ranks cannot know
    setenv(launch_mark, "1", 1);
    execvp(pointers.front(), pointers.data());
    throw InvalidArgument(
        fmt::format("cannot start {}: {}", words.front(), std::generic_category().message(errno)));
}

}  // namespace

std::string program_with_mpi()
{
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path() / "dcube-mpi";
    return can_be_run(program) ? program.string() : "";
}

void launch(const LaunchWish& wish, const char* const* argv)
{
    const Launched start = launched();
    if (!start.by.empty()) {
        if (wish.ranks && *wish.ranks != start.ranks)
            throw InvalidArgument(fmt::format("--ranks {}, but {} has started {}: leave one of the two out",
                                              *wish.ranks, start.by, start.ranks));
        return;
    }
    if (!wish.launcher && wish.ranks.value_or(1) == 1)
        return;
    const std::string program = program_with_mpi();
    if (program.empty())
        throw InvalidArgument(fmt::format("{} needs MPI, and this dcube was built without it: {}",
                                          wish.ranks ? "--ranks" : "--launcher", how_to_get_mpi));
    Words words = launcher_words(wish);
    if (std::getenv(launch_mark) != nullptr)
        throw InvalidArgument(fmt::format("{} has started this program, but not as ranks of an MPI that is known here",
                                          words.front()));
    if (wish.ranks) {
        words.emplace_back("-n");
        words.push_back(std::to_string(*wish.ranks));
    }
    words.push_back(program);
    become(std::move(words), argv);
}

}  // namespace dcube::cli
