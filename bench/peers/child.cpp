#include "bench/peers/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

extern char** environ;

namespace peers {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto grace = std::chrono::seconds(2);  // in which mpirun ends its ranks, and removes its files

volatile std::sig_atomic_t running_session = 0;

std::array<int, 2> new_pipe()
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        throw std::system_error(errno, std::generic_category(), "pipe");
    return ends;
}

pid_t start(std::vector<std::string> words, int out, int err)
{
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    pid_t process = -1;
    const int error = posix_spawnp(&process, words[0].c_str(), &actions, &attributes, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0)
        throw std::system_error(error, std::generic_category(), words[0]);
    return process;
}

// Kills `process` and then this process's other children, those that become so as orphans, too, until there are none.
// Returns the status of `process`.
int end_all(pid_t process)
{
    int status = 0;
    kill(process, SIGKILL);
    waitpid(process, &status, 0);
    for (bool found = true; found;) {
        found = false;
        std::ifstream children("/proc/thread-self/children");
        for (pid_t child = 0; children >> child; found = true) {
            kill(child, SIGKILL);
            waitpid(child, nullptr, 0);
        }
    }
    return status;
}

extern "C" void end_with_session(int signal)
{
    if (running_session != 0)
        kill(-static_cast<pid_t>(running_session), SIGTERM);  // mpirun then ends processes outside of the group
    _exit(128 + signal);
}

// The signals that end this process end the session first. Orphans become this process's children.
class Session {
public:
    explicit Session(pid_t session)
    {
        prctl(PR_SET_CHILD_SUBREAPER, 1UL);
        running_session = session;
        for (std::size_t i = 0; i < signals.size(); ++i)
            before_[i] = std::signal(signals[i], end_with_session);
    }
    ~Session()
    {
        for (std::size_t i = 0; i < signals.size(); ++i)
            std::signal(signals[i], before_[i]);
        running_session = 0;
        prctl(PR_SET_CHILD_SUBREAPER, 0UL);
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

private:
    static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
    std::array<void (*)(int), signals.size()> before_{};
};

// Reads until both pipes are closed, or the time comes; whether they were closed.
bool read_until(Clock::time_point time, std::array<pollfd, 2>& ends, const std::array<std::string*, 2>& texts)
{
    std::array<char, 4096> buffer{};
    while (ends[0].fd >= 0 || ends[1].fd >= 0) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(time - Clock::now()).count();
        if (left < 0)
            return false;
        poll(ends.data(), ends.size(), static_cast<int>(std::min<long long>(left + 1, 1000)));
        for (std::size_t i = 0; i < ends.size(); ++i) {
            if (ends[i].fd < 0 || ends[i].revents == 0)
                continue;
            const ssize_t got = read(ends[i].fd, buffer.data(), buffer.size());
            if (got > 0)
                texts[i]->append(buffer.data(), static_cast<std::size_t>(got));
            else if (got == 0 || errno != EINTR)
                close(std::exchange(ends[i].fd, -1));
        }
    }
    return true;
}

// Its status if it ends before the time comes.
std::optional<int> waited_for(pid_t process, Clock::time_point time)
{
    int status = 0;
    while (waitpid(process, &status, WNOHANG) != process) {
        if (Clock::now() >= time)
            return {};
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return status;
}

}  // namespace

Child run_child(const std::vector<std::string>& words, double limit_seconds)
{
    const auto limit = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit_seconds));
    const std::array out = new_pipe();
    const std::array err = new_pipe();
    std::array<pollfd, 2> ends{pollfd{out[0], POLLIN, 0}, pollfd{err[0], POLLIN, 0}};
    Child child;
    const std::array<std::string*, 2> texts{&child.out, &child.err};
    const Clock::time_point end = Clock::now() + limit;
    const pid_t process = start(words, out[1], err[1]);
    const Session session(process);
    close(out[1]);
    close(err[1]);

    std::optional<int> status;
    if (read_until(end, ends, texts))
        status = waited_for(process, end);
    child.stopped = !status;
    if (child.stopped) {
        kill(-process, SIGTERM);
        read_until(Clock::now() + grace, ends, texts);
        status = end_all(process);
    }
    for (const pollfd& one : ends)
        if (one.fd >= 0)
            close(one.fd);
    child.exit_code = WIFSIGNALED(*status) ? 128 + WTERMSIG(*status) : WEXITSTATUS(*status);
    return child;
}

}  // namespace peers
