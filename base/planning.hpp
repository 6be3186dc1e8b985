#pragma once
// Long-running planning: it can be stopped, and reports its progress.

#include <dcube/stop.hpp>

#include <functional>
#include <string_view>

namespace dcube::detail {

struct PlanningStage {
    std::string_view what;  // "spread: try 3"; empty: work other than planning, which a stop ends as well
    double done;            // 0 to 1 of the whole
};

// During its lifetime, planning in this thread checks this stop token and reports its progress to this function. The
// tokens of enclosing scopes are checked too; if this scope has no function, the nearest enclosing scope with one gets
// the report.
class PlanningScope {
public:
    explicit PlanningScope(StopToken stop, std::function<void(const PlanningStage&)> tell = {});
    ~PlanningScope();
    PlanningScope(const PlanningScope&) = delete;
    PlanningScope& operator=(const PlanningScope&) = delete;

private:
    friend void planning(std::string_view what, double done);
    StopToken stop_;
    std::function<void(const PlanningStage&)> tell_;
    PlanningScope* outer_;
};

// Planners call this at least every few milliseconds of work. Throws Interrupted once a stop is requested.
void planning(std::string_view what, double done);

}  // namespace dcube::detail
