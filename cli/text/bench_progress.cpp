#include "cli/text/bench_progress.hpp"

#include "base/numbers.hpp"
#include "inspect/measure/team.hpp"

#include "cli/text/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace dcube::cli {

BenchProgress::BenchProgress(std::string before, bool wanted)
    : before_(std::move(before)), seen_(wanted && Progress::has_viewer())
{
}

BenchProgress::~BenchProgress()
{
    if (seen_ && shown_at_ > 0)
        std::fputs("\r\033[K", stderr);
}

void BenchProgress::show(const measure::Stage& stage)
{
    measured_ = stage_text(stage);
    draw([&] { return measured_; });
}

void BenchProgress::show(const detail::PlanningStage& stage)
{
    draw([&] {
        return fmt::format("{}{}planning {}: {:.0f} %", measured_, measured_.empty() ? "" : ", ", stage.what,
                           100 * stage.done);
    });
}

void BenchProgress::draw(const std::function<std::string()>& text)
{
    constexpr double pause = 0.2;
    const double now = measure::steady_seconds();
    if (!seen_ || now - shown_at_ < pause)
        return;
    shown_at_ = now;
    std::fputs(fmt::format("\r{}{}\033[K", before_, text()).c_str(), stderr);
    std::fflush(stderr);
}

std::string stage_text(const measure::Stage& stage)
{
    if (!stage.seconds_left)
        return fmt::format("preparing cell {} of {}", std::min(stage.prepared + 1, stage.cells), stage.cells);
    return fmt::format("measuring {}: {} left", counted(stage.cells, "cell"), duration_text(*stage.seconds_left));
}

}  // namespace dcube::cli
