#include "cli/text/progress.hpp"

#include "base/numbers.hpp"
#include "cli/output.hpp"
#include "cli/ranks.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace dcube::cli {

namespace {

constexpr std::uint64_t bar_width = 40;
constexpr std::chrono::milliseconds patience{500};
constexpr std::chrono::milliseconds pause{100};

std::atomic<bool> is_shown = false;

}  // namespace

Progress::Progress() : painter_([this] { draw_until_over(); }) {}

Progress::~Progress()
{
    {
        const std::scoped_lock lock(mutex_);
        over_ = true;
    }
    ends_.notify_one();
    painter_.join();
}

bool Progress::has_viewer()
{
    const char* const terminal = std::getenv("TERM");
    return is_output_rank() && !is_quiet() && isatty(STDERR_FILENO) != 0 && terminal != nullptr &&
           std::string_view(terminal) != "dumb";
}

void Progress::draw_until_over()
{
    const auto sleep = [&](std::chrono::milliseconds time) {
        std::unique_lock lock(mutex_);
        return !ends_.wait_for(lock, time, [&] { return over_; });
    };
    if (!sleep(patience))
        return;
    do
        draw();
    while (sleep(pause));
    erase();
}

void Progress::erase()
{
    if (is_shown.exchange(false))
        std::fputs("\r\033[K", stderr);
}

void Progress::plan(std::string_view what, double done)
{
    const std::scoped_lock lock(mutex_);
    planned_ = what;
    planned_part_ = std::clamp(done, 0.0, 1.0);
}

void Progress::restart()
{
    done_ = 0;
    expected_ = 0;
    const std::scoped_lock lock(mutex_);
    began_ = Clock::now();
    planned_.clear();
}

void Progress::begin_task(std::size_t number, std::size_t all, std::string_view what)
{
    restart();
    const std::scoped_lock lock(mutex_);
    if (number <= 1)
        first_task_began_ = began_;
    task_ = fmt::format("{} of {}, {}", number, all, what);
    const std::chrono::duration<double> passed = began_ - first_task_began_;
    if (number > 1 && all >= number)
        task_ += fmt::format(", about {} left", duration_text(passed.count() / static_cast<double>(number - 1) *
                                                              static_cast<double>(all - number + 1)));
}

std::string Progress::task_text()
{
    const std::scoped_lock lock(mutex_);
    return task_.empty() ? "" : task_ + ": ";
}

// A percentage, or if it is unknown how far planning is, how long it has taken.
std::string Progress::planning_text()
{
    const std::scoped_lock lock(mutex_);
    if (!planned_.empty() && planned_part_ > 0)
        return fmt::format("planning {}: {:.0f} %", planned_, 100 * planned_part_);
    const std::chrono::duration<double> waited = Clock::now() - began_;
    return fmt::format("planning {}{:.0f} s", planned_.empty() ? "... " : planned_ + ": ", waited.count());
}

void Progress::draw()
{
    const std::uint64_t done = done_;
    std::string line;
    if (done == 0) {
        line = fmt::format("\r{}{}\033[K", task_text(), planning_text());
    } else {
        const std::uint64_t total = std::max(expected_.load(), done);
        const auto filled = static_cast<std::size_t>(bar_width * done / total);
        line = fmt::format("\r{}[{:#<{}}{:.<{}}] step {} of {}\033[K", task_text(), "", filled, "", bar_width - filled,
                           grouped(done), grouped(total));
    }
    is_shown = true;
    std::fputs(line.c_str(), stderr);
    std::fflush(stderr);
}

}  // namespace dcube::cli
