#include "cli/files/gnuplot.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <system_error>

namespace dcube::cli {

namespace {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using NamelessFile = std::unique_ptr<std::FILE, CloseFile>;

// Gnuplot reads and writes files without a name: of pipes one could be full while it waits for the other.
NamelessFile nameless_file()
{
    NamelessFile file(std::tmpfile());
    if (!file)
        throw InvalidArgument(
            fmt::format("cannot make a temporary file for gnuplot: {}", std::generic_category().message(errno)));
    return file;
}

std::string text_of(std::FILE* file)
{
    std::string text;
    std::array<char, 1 << 14> part;
    std::rewind(file);
    for (std::size_t got = 0; (got = std::fread(part.data(), 1, part.size(), file)) > 0;)
        text.append(part.data(), got);
    return text;
}

[[noreturn]] void miss_gnuplot()
{
    throw InvalidArgument(
        "the figure needs gnuplot, which is not on the PATH: install Debian's package gnuplot-nox, or use --html");
}

// As posix_spawnp looks for it: an empty folder is the current one.
bool has_gnuplot_in(std::string_view path)
{
    for (;;) {
        const std::size_t end = std::min(path.find(':'), path.size());
        const std::string folder = end == 0 ? "." : std::string(path.substr(0, end));
        if (access((folder + "/gnuplot").c_str(), X_OK) == 0)
            return true;
        if (end == path.size())
            return false;
        path.remove_prefix(end + 1);
    }
}

// Starts gnuplot, without anybody's settings, with these as its standard streams.
pid_t start_gnuplot(std::FILE* in, std::FILE* out, std::FILE* err)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(err), STDERR_FILENO);
    std::string program = "gnuplot";
    std::string settings = "--default-settings";
    std::string from = "-";
    const std::array<char*, 4> words{program.data(), settings.data(), from.data(), nullptr};
    pid_t process = -1;
    const int error = posix_spawnp(&process, program.c_str(), &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error == ENOENT)
        miss_gnuplot();
    if (error != 0)
        throw InvalidArgument(fmt::format("cannot start gnuplot: {}", std::generic_category().message(error)));
    return process;
}

int status_of(pid_t process)
{
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

// The first line of what gnuplot complains of that says something.
std::string first_line(const std::string& text)
{
    std::size_t at = text.find("line ");
    at = at == std::string::npos ? text.find_first_not_of(" \n\t^") : at;
    return at == std::string::npos ? "it says nothing" : text.substr(at, text.find('\n', at) - at);
}

}  // namespace

void require_gnuplot()
{
    const char* const path = std::getenv("PATH");
    if (!has_gnuplot_in(path != nullptr ? path : "/bin:/usr/bin"))
        miss_gnuplot();
}

std::string drawn_by_gnuplot(std::string_view script)
{
    const NamelessFile in = nameless_file();
    const NamelessFile out = nameless_file();
    const NamelessFile err = nameless_file();
    if (std::fwrite(script.data(), 1, script.size(), in.get()) != script.size() || std::fflush(in.get()) != 0)
        throw InvalidArgument(fmt::format("cannot write gnuplot's script: {}", std::generic_category().message(errno)));
    std::rewind(in.get());
    const int status = status_of(start_gnuplot(in.get(), out.get(), err.get()));
    std::string svg = text_of(out.get());
    if (status != 0 || svg.find("</svg>") == std::string::npos)
        throw InvalidArgument(fmt::format("gnuplot could not draw the figure: {}", first_line(text_of(err.get()))));
    return svg;
}

}  // namespace dcube::cli
