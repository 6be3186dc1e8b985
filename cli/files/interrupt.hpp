#pragma once
// Ctrl-C and the other signals that ask a program to end, turned into a request to stop.

#include <string_view>

namespace dcube::cli {

/// The exit code after an interruption, as shells have it for SIGINT.
constexpr int interrupted_code = 130;

/// The message about a process that was interrupted. mpirun ends ranks by SIGTERM for reasons that lie in other ranks.
std::string_view interruption_text();

}  // namespace dcube::cli

#ifdef __STDCPP_THREADS__

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace dcube::cli {

/// While it lives, the first SIGINT, SIGTERM, SIGHUP or SIGQUIT requests a stop. A run ends after its running step.
/// Work that does not ask for the token is given a moment, and then, or at a second signal, the process ends at once;
/// temporary files are removed before. Signals that the process was started to ignore stay ignored. Made for each
/// command before any other thread starts, so that all threads inherit the blocked signals; one at a time.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

    /// Called after a stop was requested, when little is left to be done: the process does not end before that.
    void settle() { over_ = true; }

    /// Throws Interrupted if a stop was requested.
    void check() const;

private:
    void watch();

    sigset_t signals_;
    std::stop_source source_;
    std::atomic<bool> over_ = false;
    std::thread watcher_;
};

}  // namespace dcube::cli

#else

#include "cli/files/alone/interrupt.hpp"

#endif
