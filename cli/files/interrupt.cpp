#include "cli/files/interrupt.hpp"

#include "base/plan_files.hpp"
#include "cli/files/files.hpp"
#include "cli/ranks.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <pthread.h>
#include <unistd.h>

#include <ctime>
#include <string>
#include <tuple>

namespace dcube::cli {

namespace {

constexpr timespec moment{0, 300'000'000};

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
    return SIGRTMIN;
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

void Interrupt::watch()
{
    int signal = wakes_watcher();
    while (signal == wakes_watcher() && !over_)
        sigwait(&signals_, &signal);
    if (over_)
        return;
    first_signal = signal;
    source_.request_stop();
    sigtimedwait(&signals_, nullptr, &moment);  // for the end, or for a second signal
    if (!over_)
        end_at_once();
}

}  // namespace dcube::cli
