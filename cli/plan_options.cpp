#include "cli/plan_options.hpp"

#include "base/numbers.hpp"
#include "cli/output.hpp"

#include <dcube/plan_cache.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube::cli {

PlanOptions::PlanOptions(CLI::App& app)
{
    add_folder(app, {"--plan-cache", "FOLDER", "keep slow plans in FOLDER for later runs", "Planning"}, folder_);
}

void PlanOptions::use() const
{
    if (folder_)
        set_plan_cache({.directory = *folder_, .warn = [](const std::string& line) { note("warning: " + line); }});
}

PlanningWatch::PlanningWatch(const Interrupt& interrupt)
    : scope_(interrupt.token(), [this](const detail::PlanningStage& stage) { note(stage); })
{
    if (Progress::has_viewer())
        progress_.emplace();
}

void PlanningWatch::restart()
{
    seconds_.clear();
    last_.clear();
}

// A stage of planning that has been reported lasts until the next one is.
void PlanningWatch::note(const detail::PlanningStage& stage)
{
    if (stage.what.empty())
        return;
    if (progress_)
        progress_->plan(stage.what, stage.done);
    const Clock::time_point now = Clock::now();
    if (!last_.empty())
        seconds_[last_] += std::chrono::duration<double>(now - last_said_).count();
    last_ = stage.what;
    last_said_ = now;
}

std::string PlanningWatch::longest() const
{
    constexpr std::size_t most = 3;
    std::vector<std::pair<double, std::string_view>> all;
    for (const auto& [what, seconds] : seconds_)
        all.emplace_back(-seconds, what);
    std::ranges::sort(all);
    std::string text;
    for (const auto& [seconds, what] : std::span(all).first(std::min(most, all.size())))
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what, duration_text(-seconds));
    return text;
}

}  // namespace dcube::cli
