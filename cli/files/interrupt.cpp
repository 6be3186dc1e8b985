#include "cli/files/interrupt.hpp"

#include <dcube/error.hpp>

#include <csignal>
#include <pthread.h>

namespace dcube::cli {

namespace {

sigset_t watched_signals()
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    return signals;
}

void set_blocked(int how)
{
    const sigset_t signals = watched_signals();
    pthread_sigmask(how, &signals, nullptr);
}

}  // namespace

// The signals are blocked everywhere and fetched by a thread of their own: nothing has to be signal-safe.
Interrupt::Interrupt()
{
    set_blocked(SIG_BLOCK);
    watcher_ = std::thread([this] { watch(); });
}

Interrupt::~Interrupt()
{
    over_ = true;
    pthread_kill(watcher_.native_handle(), SIGINT);  // wakes the watcher, and nobody else
    watcher_.join();
    set_blocked(SIG_UNBLOCK);
}

void Interrupt::check() const
{
    if (source_.stop_requested())
        throw Interrupted();
}

void Interrupt::watch()
{
    const sigset_t signals = watched_signals();
    for (int signal = 0; sigwait(&signals, &signal) == 0 && !over_;) {
        if (!source_.request_stop()) {  // the second one
            std::signal(signal, SIG_DFL);
            set_blocked(SIG_UNBLOCK);
            std::raise(signal);
        }
    }
}

}  // namespace dcube::cli
