#pragma once
// Ctrl-C and the other signals that ask a program to end, turned into a request to stop.

#include <atomic>
#include <csignal>
#include <stop_token>
#include <string_view>
#include <thread>

namespace dcube::cli {

/// While it lives, the first SIGINT, SIGTERM, SIGHUP or SIGQUIT requests a stop. A run ends after its running step.
/// What does not ask, such as the planning of an algorithm, is given a moment, and then, or at a second signal, the
/// process ends at once; temporary files are removed before. Signals that the process was started to ignore stay
/// ignored. Make it before any other thread starts, so that all threads inherit the blocked signals; one at a time.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

    /// After a stop was requested: what is left to be done is short, and the process does not end before it.
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

/// What is said of a process that was interrupted. Launchers end ranks by SIGTERM, for reasons of others; nothing is
/// said where dcube's own launch() knows them.
std::string_view interruption_text();

}  // namespace dcube::cli
