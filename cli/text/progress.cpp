#include "cli/text/progress.hpp"

#include "cli/text/numbers.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace dcube::cli {

namespace {

constexpr std::uint64_t bar_width = 40;

}  // namespace

Progress::~Progress()
{
    if (screen_ == Screen::drawn)
        std::fputs("\r\033[K", stderr);
}

bool Progress::has_viewer()
{
    const char* const terminal = std::getenv("TERM");
    return isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

void Progress::step()
{
    ++done_;
    const Clock::time_point now = Clock::now();
    if (now < next_)
        return;
    next_ = now + std::chrono::milliseconds(100);
    screen_ = Screen::drawn;
    draw();
}

void Progress::draw() const
{
    const std::uint64_t total = std::max({expected_, done_, std::uint64_t{1}});
    const auto filled = static_cast<std::size_t>(bar_width * done_ / total);
    const std::string bar = std::string(filled, '#') + std::string(bar_width - filled, '.');
    const std::string line = fmt::format("\r[{}] step {} of {}\033[K", bar, grouped(done_), grouped(total));
    std::fputs(line.c_str(), stderr);
    std::fflush(stderr);
}

}  // namespace dcube::cli
