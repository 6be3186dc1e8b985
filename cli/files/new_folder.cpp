#include "cli/files/new_folder.hpp"

#include "cli/files/files.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stop_token>
#include <system_error>
#include <utility>

extern char** environ;

namespace dcube::cli {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_make(const std::string& path, int error)
{
    throw InvalidArgument(fmt::format("cannot make the folder '{}': {}", path, std::generic_category().message(error)));
}

std::string made_beside(const std::string& path)
{
    std::string name = path + ".XXXXXX";
    if (mkdtemp(name.data()) == nullptr)
        cannot_make(path, errno);
    keep_temporary(name);
    return name;
}

}  // namespace

NewFolder::NewFolder(std::string path) : path_(std::move(path))
{
    while (path_.size() > 1 && path_.ends_with('/'))
        path_.pop_back();
    std::error_code error;
    if (fs::exists(path_, error) && !fs::is_directory(path_, error))
        cannot_make(path_, ENOTDIR);
    if (fs::exists(path_, error) && !fs::is_empty(path_, error))
        cannot_make(path_, ENOTEMPTY);
    temporary_ = made_beside(path_);
}

NewFolder::NewFolder() : temporary_(made_beside((fs::temp_directory_path() / "dcube").string())) {}

NewFolder::~NewFolder()
{
    if (temporary_.empty())
        return;
    std::error_code ignored;
    fs::remove_all(temporary_, ignored);
    forget_temporary(temporary_);
}

std::string NewFolder::file(std::string_view name) const
{
    return fmt::format("{}/{}", temporary_, name);
}

void NewFolder::write(std::string_view name, std::string_view text) const
{
    std::ofstream file(this->file(name), std::ios::binary);
    file << text;
    if (!file.flush())
        throw InvalidArgument(fmt::format("cannot write '{}/{}': {}", path_.empty() ? temporary_ : path_, name,
                                          std::generic_category().message(errno)));
}

void NewFolder::commit()
{
    chmod(temporary_.c_str(), usual_mode(0777));
    if (const int error = rename_temporary(temporary_, path_); error != 0)
        cannot_make(path_, error);
    temporary_.clear();
}

namespace {

// With the usual signals: dcube blocks those that it waits for itself. In a group of its own: Ctrl-C reaches dcube
// alone, which then ends it.
int start(std::vector<std::string>& words, const NewFolder& folder, pid_t& process)
{
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    for (const auto& [stream, name] : {std::pair{STDOUT_FILENO, "output"}, std::pair{STDERR_FILENO, "errors"}})
        posix_spawn_file_actions_addopen(&actions, stream, folder.file(name).c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                         0600);
    const int error = posix_spawnp(&process, words[0].c_str(), &actions, &attributes, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

// Its status. The process keeps its number until it is no longer signalled.
int waited_for(pid_t process, const std::stop_token& stop)
{
    {
        const std::stop_callback end(stop, [process] { kill(-process, SIGTERM); });
        siginfo_t ended;
        while (waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
        }
    }
    int status = 0;
    waitpid(process, &status, 0);
    return status;
}

// Runs the program, whose output and errors are files in the folder. Returns whether it succeeded.
bool has_run(std::vector<std::string> words, std::string_view package, const NewFolder& folder,
             const Interrupt& interrupt)
{
    const std::string name = words.front();
    pid_t process = -1;
    if (const int error = start(words, folder, process); error != 0)
        throw InvalidArgument(
            error == ENOENT ? fmt::format("{} is not installed: it is in the package {}", name, package)
                            : fmt::format("{} cannot be started: {}", name, std::generic_category().message(error)));
    const int status = waited_for(process, interrupt.token());
    interrupt.check();
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

std::string output_of_program(std::vector<std::string> words, std::string_view package, const Interrupt& interrupt)
{
    const NewFolder folder;
    has_run(std::move(words), package, folder, interrupt);
    std::ostringstream text;
    text << std::ifstream(folder.file("output"), std::ios::binary).rdbuf();
    return std::move(text).str();
}

void run_program(std::vector<std::string> words, std::string_view package, const Interrupt& interrupt)
{
    const NewFolder folder;
    const std::string name = words.front();
    if (has_run(std::move(words), package, folder, interrupt))
        return;
    std::string first_line;
    std::ifstream errors(folder.file("errors"));
    std::getline(errors, first_line);
    throw InvalidArgument(fmt::format("{} failed: {}", name, first_line));
}

}  // namespace dcube::cli
