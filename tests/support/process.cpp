#include "tests/support/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>

extern char** environ;

namespace dcube::test {

namespace {

struct Pipe {
    int read_end = -1;
    int write_end = -1;

    Pipe()
    {
        std::array<int, 2> ends{};
        if (pipe2(ends.data(), O_CLOEXEC) != 0)
            throw std::system_error(errno, std::generic_category(), "pipe");
        read_end = ends[0];
        write_end = ends[1];
    }
};

std::vector<std::string> environment(const Variables& variables)
{
    std::vector<std::string> all;
    for (char** one = environ; *one != nullptr; ++one) {
        const std::string_view text = *one;
        const auto is_set = [&](const auto& variable) { return text.starts_with(variable.first + "="); };
        if (!text.starts_with("NO_COLOR=") && !text.starts_with("CLICOLOR") && !text.starts_with("COLUMNS=") &&
            !text.starts_with("TERM=") && !text.starts_with("XDG_CACHE_HOME=") &&
            std::ranges::none_of(variables, is_set))
            all.emplace_back(text);
    }
    const auto is_cache = [](const auto& variable) { return variable.first == "XDG_CACHE_HOME"; };
    if (std::ranges::none_of(variables, is_cache))
        all.emplace_back("XDG_CACHE_HOME=/dev/null");  // a user's own limits must not reach a test
    for (const auto& [name, value] : variables)
        all.push_back(name + "=" + value);
    return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts)
{
    std::vector<char*> result;
    for (std::string& text : texts)
        result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

// The input lies in a file without a name: a pipe would have to be filled while the process runs.
int input_descriptor(const std::string& input)
{
    const int file = open(std::filesystem::temp_directory_path().c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0 || write(file, input.data(), input.size()) != static_cast<ssize_t>(input.size()))
        throw std::system_error(errno, std::generic_category(), "input");
    lseek(file, 0, SEEK_SET);
    return file;
}

// A shell that runs the tests in the background ignores SIGINT for them: the program starts with the usual signals.
void use_usual_signals(posix_spawnattr_t& attributes)
{
    sigset_t all;
    sigset_t none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}

int spawn(std::vector<std::string> words, const Variables& variables, int in, int out, int err)
{
    std::vector<std::string> variables_text = environment(variables);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    use_usual_signals(attributes);

    pid_t process = -1;
    const int error = posix_spawnp(&process, words[0].c_str(), &actions, &attributes, pointers(words).data(),
                                   pointers(variables_text).data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0)
        throw std::system_error(error, std::generic_category(), words[0]);
    return process;
}

// Reads both pipes to their ends, whichever has something.
void drain(int out, int err, Outcome& outcome)
{
    std::array<pollfd, 2> ends{pollfd{out, POLLIN, 0}, pollfd{err, POLLIN, 0}};
    std::array<std::string*, 2> texts{&outcome.out, &outcome.err};
    std::vector<char> buffer(1 << 16);
    while (ends[0].fd >= 0 || ends[1].fd >= 0) {
        poll(ends.data(), ends.size(), -1);
        for (std::size_t i = 0; i < ends.size(); ++i) {
            if (ends[i].fd < 0 || ends[i].revents == 0)
                continue;
            const ssize_t got = read(ends[i].fd, buffer.data(), buffer.size());
            if (got > 0)
                texts[i]->append(buffer.data(), static_cast<std::size_t>(got));
            else
                ends[i].fd = -1;
        }
    }
}

}  // namespace

Running::Running(const std::vector<std::string>& arguments, const Start& start)
{
    std::vector<std::string> words = start.program;
    words.insert(words.end(), arguments.begin(), arguments.end());
    const Pipe out;
    const Pipe err;
    const int in = input_descriptor(start.input);
    const int target = start.out_file.empty()
                           ? out.write_end
                           : open(start.out_file.c_str(), O_WRONLY | O_CREAT | O_NOCTTY | O_CLOEXEC, 0600);
    process_ = spawn(std::move(words), start.variables, in, target, err.write_end);
    close(in);
    if (target != out.write_end)
        close(target);
    close(out.write_end);
    close(err.write_end);
    out_ = out.read_end;
    err_ = err.read_end;
}

Running::~Running()
{
    if (process_ >= 0) {
        send(SIGKILL);
        finish();
    }
}

void Running::send(int signal) const
{
    kill(process_, signal);
}

bool Running::alive() const
{
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

Outcome Running::finish()
{
    Outcome outcome;
    drain(out_, err_, outcome);
    close(out_);
    close(err_);
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = -1;
    outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return outcome;
}

Outcome dcube_program(const std::vector<std::string>& arguments, const Start& start)
{
    return Running(arguments, start).finish();
}

Outcome dcube_line(const std::string& line, const Start& start)
{
    std::istringstream words(line);
    std::vector<std::string> arguments;
    for (std::string word; words >> word;)
        arguments.push_back(word == "''" ? "" : word);
    return dcube_program(arguments, start);
}

}  // namespace dcube::test
