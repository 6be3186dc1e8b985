#include "cli/text/raw_terminal.hpp"

#include "cli/output.hpp"

#include <dcube/error.hpp>

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <string>
#include <string_view>

namespace dcube::cli {

namespace {

constexpr int between_looks = 50;  // ms, after which a stop is noticed

/// How a key arrives: a letter, or several bytes at once.
struct Spelling {
    std::string_view bytes;
    Key key;
};

constexpr std::array spellings{
    Spelling{"\033[C", Key::forward}, Spelling{"\033OC", Key::forward}, Spelling{" ", Key::forward},
    Spelling{"\r", Key::forward},     Spelling{"\n", Key::forward},     Spelling{"l", Key::forward},
    Spelling{"\033[D", Key::back},    Spelling{"\033OD", Key::back},    Spelling{"\177", Key::back},
    Spelling{"h", Key::back},         Spelling{"\033[H", Key::start},   Spelling{"\033OH", Key::start},
    Spelling{"\033[1~", Key::start},  Spelling{"g", Key::start},        Spelling{"\033[F", Key::end},
    Spelling{"\033OF", Key::end},     Spelling{"\033[4~", Key::end},    Spelling{"G", Key::end},
    Spelling{"q", Key::quit},         Spelling{"\003", Key::quit},      Spelling{"\004", Key::quit},
    Spelling{"\033", Key::quit},
};

volatile std::sig_atomic_t stop_asked = 0;
volatile std::sig_atomic_t resized = 0;
volatile std::sig_atomic_t continued = 0;  // also after a SIGSTOP, which cannot be caught

void stop_asked_for(int /*signal*/)
{
    stop_asked = 1;
}

void has_resized(int /*signal*/)
{
    resized = 1;
}

void has_continued(int /*signal*/)
{
    continued = 1;
}

void watch(int signal, void (*handler)(int), struct sigaction* before)
{
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, before);
}

// The length of the first key in bytes that were read: of an escape sequence up to the letter that ends it.
std::size_t first_key(std::string_view bytes)
{
    if (bytes.size() < 3 || bytes[0] != '\033' || (bytes[1] != '[' && bytes[1] != 'O'))
        return 1;
    std::size_t end = 2;
    while (end + 1 < bytes.size() && (bytes[end] < '@' || bytes[end] > '~'))
        ++end;
    return end + 1;
}

std::optional<Key> key_of(std::string_view bytes)
{
    for (const Spelling& one : spellings)
        if (one.bytes == bytes)
            return one.key;
    return std::nullopt;
}

}  // namespace

RawTerminal::RawTerminal()
{
    if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0 || tcgetattr(STDIN_FILENO, &before_) != 0)
        throw InvalidArgument("--step needs a terminal, for its keys and its screen: --text shows all steps");
    stop_asked = 0;
    continued = 0;
    watch(SIGTSTP, stop_asked_for, &stop_before_);
    watch(SIGCONT, has_continued, &continue_before_);
    watch(SIGWINCH, has_resized, &resize_before_);
    enter();
}

RawTerminal::~RawTerminal()
{
    leave();
    sigaction(SIGTSTP, &stop_before_, nullptr);
    sigaction(SIGCONT, &continue_before_, nullptr);
    sigaction(SIGWINCH, &resize_before_, nullptr);
}

void RawTerminal::enter()
{
    termios raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG);  // Ctrl-C is a key like another
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
    print("\033[?1049h\033[?25l");  // another screen, without a cursor
}

void RawTerminal::leave()
{
    constexpr std::string_view back = "\033[?25h\033[?1049l";
    [[maybe_unused]] const ssize_t written = write(STDOUT_FILENO, back.data(), back.size());
    tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
}

// The process stops as it would have without handlers, on a terminal as it was. SIGCONT has no handler meanwhile:
// another thread could run it late, and the screen would be drawn twice.
void RawTerminal::suspend()
{
    leave();
    stop_asked = 0;
    struct sigaction stops {};
    struct sigaction continues {};
    watch(SIGTSTP, SIG_DFL, &stops);
    watch(SIGCONT, SIG_DFL, &continues);
    raise(SIGTSTP);  // returns when the process continues; nothing happens where nothing could continue it
    sigaction(SIGCONT, &continues, nullptr);
    sigaction(SIGTSTP, &stops, nullptr);
    continued = 1;
}

void RawTerminal::show(std::string_view text) const
{
    print("\033[H\033[2J" + std::string(text));
}

std::optional<Key> RawTerminal::next_key()
{
    while (!unread_.empty()) {
        const std::string bytes = unread_.substr(0, first_key(unread_));
        unread_.erase(0, bytes.size());
        if (bytes == "\032")  // Ctrl-Z
            stop_asked = 1;
        else if (const auto key = key_of(bytes))
            return key;
    }
    return std::nullopt;
}

Key RawTerminal::wait(const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        if (const auto key = next_key())
            return *key;
        if (stop_asked != 0)
            suspend();
        if (continued != 0) {
            continued = 0;
            enter();
            return Key::again;
        }
        if (resized != 0) {
            resized = 0;
            return Key::again;
        }
        pollfd input{STDIN_FILENO, POLLIN, 0};
        if (poll(&input, 1, between_looks) <= 0)
            continue;
        std::array<char, 64> bytes{};
        const ssize_t got = read(STDIN_FILENO, bytes.data(), bytes.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return Key::quit;
        unread_.append(bytes.data(), static_cast<std::size_t>(got));
    }
    return Key::quit;
}

}  // namespace dcube::cli
