#pragma once
// Ctrl-C and SIGTERM, turned into a request to stop.

#include <atomic>
#include <stop_token>
#include <thread>

namespace dcube::cli {

/// While it lives, the first SIGINT or SIGTERM requests a stop and the second one kills the process as usual.
/// Make it before any other thread starts, so that all threads inherit the blocked signals; one at a time.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

    /// Throws Interrupted if a stop was requested.
    void check() const;

private:
    void watch();

    std::stop_source source_;
    std::atomic<bool> over_ = false;
    std::thread watcher_;
};

}  // namespace dcube::cli
