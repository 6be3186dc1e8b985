#include "base/planning.hpp"

#include <dcube/error.hpp>

#include <utility>

namespace dcube::detail {

namespace {

thread_local PlanningScope* innermost = nullptr;

}  // namespace

PlanningScope::PlanningScope(StopToken stop, std::function<void(const PlanningStage&)> tell)
    : stop_(std::move(stop)), tell_(std::move(tell)), outer_(std::exchange(innermost, this))
{
}

PlanningScope::~PlanningScope()
{
    innermost = outer_;
}

void planning(std::string_view what, double done)
{
    const PlanningScope* listener = nullptr;
    for (const PlanningScope* scope = innermost; scope; scope = scope->outer_) {
        if (scope->stop_.stop_requested())
            throw Interrupted();
        if (!listener && scope->tell_)
            listener = scope;
    }
    if (listener)
        listener->tell_({what, done});
}

}  // namespace dcube::detail
