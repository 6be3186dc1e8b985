#include "cli/plan_options.hpp"

#include "cli/output.hpp"

#include <dcube/error.hpp>
#include <dcube/plan_cache.hpp>

#include <functional>

namespace dcube::cli {

namespace {

// Where a terminal shows progress, into that: else nobody is told.
std::function<void(const detail::PlanningStage&)> shown_by(std::optional<Progress>& progress)
{
    if (!Progress::has_viewer())
        return {};
    Progress& shown = progress.emplace();
    return [&shown](const detail::PlanningStage& stage) { shown.plan(stage.what, stage.done); };
}

}  // namespace

PlanOptions::PlanOptions(CLI::App& app)
{
    add_text(app, {"--plan-cache", "FOLDER", "keep plans that take long there, for the next time", "Planning"},
             folder_);
}

void PlanOptions::use() const
{
    if (folder_ && folder_->empty())
        throw InvalidArgument("--plan-cache '' names no folder: give one, which is made if it does not exist");
    if (folder_)
        set_plan_cache({.directory = *folder_, .warn = [](const std::string& line) { complain("warning: " + line); }});
}

PlanningWatch::PlanningWatch(const Interrupt& interrupt) : scope_(interrupt.token(), shown_by(progress_)) {}

}  // namespace dcube::cli
