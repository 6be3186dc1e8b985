#include "cli/files/interrupt.hpp"

#include "base/plan_files.hpp"
#include "cli/files/files.hpp"
#include "cli/ranks.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <tuple>

namespace dcube::cli {

namespace {

std::atomic<int> first_signal = 0;

bool is_ignored(int signal)
{
    struct sigaction action {};
    return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t watched_signals()
{
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
        if (!is_ignored(signal))
            sigaddset(&signals, signal);
    return signals;
}

// A signal that no other process sends and that is not ignored.
int wakes_watcher()
{
#ifdef SIGRTMIN
    return SIGRTMIN;
#else  // macOS
    return SIGUSR2;
#endif
}

bool is_pending(const sigset_t& signals)
{
    sigset_t pending;
    sigpending(&pending);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, wakes_watcher()})
        if (sigismember(&signals, signal) == 1 && sigismember(&pending, signal) == 1)
            return true;
    return false;
}

// For one of the signals, but not for long. macOS has no sigtimedwait.
void wait_a_moment_for(const sigset_t& signals)
{
    constexpr std::chrono::milliseconds moment{300};
    constexpr std::chrono::milliseconds look{2};
    const auto end = std::chrono::steady_clock::now() + moment;
    while (!is_pending(signals) && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(look);
    if (int signal = 0; is_pending(signals))
        sigwait(&signals, &signal);
}

// Nothing is half-written but temporary files, so the process may end wherever its other threads are.
[[noreturn]] void end_at_once()
{
    remove_temporary_files();
    detail::remove_unfinished_plans();
    constexpr std::string_view erase_line = "\r\033[K";
    if (is_output_rank() && isatty(STDERR_FILENO) != 0)
        std::ignore = write(STDERR_FILENO, erase_line.data(), erase_line.size());
    const std::string message = fmt::format("dcube: {}\n", interruption_text());
    if (is_output_rank())
        std::ignore = write(STDERR_FILENO, message.data(), message.size());
    _exit(interrupted_code);
}

}  // namespace

std::string_view interruption_text()
{
    return first_signal == SIGTERM && process_world().ranks() > 1 ? "ended by mpirun" : "interrupted";
}

// The signals are blocked everywhere and fetched by a thread of their own: nothing has to be signal-safe.
Interrupt::Interrupt() : signals_(watched_signals())
{
    sigaddset(&signals_, wakes_watcher());
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    watcher_ = std::thread([this] { watch(); });
}

Interrupt::~Interrupt()
{
    over_ = true;
    pthread_kill(watcher_.native_handle(), wakes_watcher());
    watcher_.join();
    pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
}

void Interrupt::check() const
{
    if (source_.stop_requested())
        throw Interrupted();
}

void Interrupt::add(pid_t child)
{
    const std::scoped_lock lock(mutex_);
    children_.push_back(child);
    if (source_.stop_requested())
        pass_on_to(child);
}

void Interrupt::remove(pid_t child)
{
    const std::scoped_lock lock(mutex_);
    std::erase(children_, child);
}

void Interrupt::pass_on_to(pid_t child)
{
    settle();
    kill(child, SIGTERM);
}

void Interrupt::watch()
{
    int signal = wakes_watcher();
    while (signal == wakes_watcher() && !over_)
        sigwait(&signals_, &signal);
    if (over_)
        return;
    first_signal = signal;
    {
        const std::scoped_lock lock(mutex_);
        source_.request_stop();
        for (const pid_t child : children_)
            pass_on_to(child);
    }
    wait_a_moment_for(signals_);  // the end, or a second signal
    if (!over_)
        end_at_once();
}

}  // namespace dcube::cli
