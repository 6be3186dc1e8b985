#include "cli/text/progress.hpp"

#include "cli/text/numbers.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>

namespace dcube::cli {

namespace {

constexpr std::uint64_t bar_width = 40;
constexpr std::chrono::milliseconds patience{500};
constexpr std::chrono::milliseconds pause{100};

}  // namespace

Progress::Progress() : painter_([this](const std::stop_token& stop) { draw_until(stop); }) {}

Progress::~Progress() = default;

bool Progress::has_viewer()
{
    const char* const terminal = std::getenv("TERM");
    return isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

void Progress::draw_until(const std::stop_token& stop)
{
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::unique_lock lock(mutex);
    const auto sleep = [&](std::chrono::milliseconds time) {
        stopped.wait_for(lock, stop, time, [] { return false; });
        return !stop.stop_requested();
    };
    if (!sleep(patience))
        return;
    do
        draw();
    while (sleep(pause));
    std::fputs("\r\033[K", stderr);
}

void Progress::draw() const
{
    const std::uint64_t done = done_;
    std::string line;
    if (done == 0) {
        const std::chrono::duration<double> waited = Clock::now() - began_;
        line = fmt::format("\rplanning ... {:.0f} s\033[K", waited.count());
    } else {
        const std::uint64_t total = std::max(expected_.load(), done);
        const auto filled = static_cast<std::size_t>(bar_width * done / total);
        line = fmt::format("\r[{:#<{}}{:.<{}}] step {} of {}\033[K", "", filled, "", bar_width - filled, grouped(done),
                           grouped(total));
    }
    std::fputs(line.c_str(), stderr);
    std::fflush(stderr);
}

}  // namespace dcube::cli
