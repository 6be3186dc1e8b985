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

#include <dcube/stop.hpp>

#include <sys/types.h>

#include <atomic>
#include <csignal>
#include <mutex>
#include <thread>
#include <vector>

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

    [[nodiscard]] StopToken token() const { return source_.get_token(); }

    /// Called after a stop was requested, when little is left to be done: the process does not end before that.
    void settle() { over_ = true; }

    /// Throws Interrupted if a stop was requested.
    void check() const;

    /// While it lives, a request to stop, also an earlier one, is passed on to a child process, once, as SIGTERM. What
    /// is left to be done here is then to wait for it.
    class PassedOn {
    public:
        PassedOn(Interrupt& interrupt, pid_t child) : interrupt_(interrupt), child_(child) { interrupt_.add(child); }
        ~PassedOn() { interrupt_.remove(child_); }
        PassedOn(const PassedOn&) = delete;
        PassedOn& operator=(const PassedOn&) = delete;

    private:
        Interrupt& interrupt_;
        pid_t child_;
    };

private:
    void watch();
    void add(pid_t child);
    void remove(pid_t child);
    void pass_on_to(pid_t child);

    sigset_t signals_;
    StopSource source_;
    std::atomic<bool> over_ = false;
    std::mutex mutex_{};
    std::vector<pid_t> children_{};  // guarded by the mutex, as requests are
    std::thread watcher_;
};

}  // namespace dcube::cli

#else

#include "cli/files/alone/interrupt.hpp"

#endif
