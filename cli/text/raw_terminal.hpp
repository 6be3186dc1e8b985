#pragma once
// A terminal whose keys are read one by one, on a screen of its own.

#include <csignal>
#include <termios.h>

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace dcube::cli {

enum class Key { forward, back, start, end, again, quit };

/// While it lives, keys are not echoed, and what is shown replaces what was shown before; afterwards, and while the
/// process is stopped (Ctrl-Z), the terminal is as it was. One at a time. Throws InvalidArgument unless standard input
/// and output are a terminal.
class RawTerminal {
public:
    RawTerminal();
    ~RawTerminal();
    RawTerminal(const RawTerminal&) = delete;
    RawTerminal& operator=(const RawTerminal&) = delete;

    void show(std::string_view text) const;
    /// Waits for a key that means something; the end of the input and a requested stop are quit. After the process was
    /// stopped and continued, or the terminal resized, `again` says that the screen is to be drawn again.
    [[nodiscard]] Key wait(const std::stop_token& stop);

private:
    void enter();
    void leave();
    void suspend();
    [[nodiscard]] std::optional<Key> next_key();

    termios before_{};
    struct sigaction stop_before_ {};
    struct sigaction continue_before_ {};
    struct sigaction resize_before_ {};
    std::string unread_;
};

}  // namespace dcube::cli
