#pragma once
// Planning that takes long: it can be stopped, and tells how far it is.

#include <functional>
#include <stop_token>
#include <string_view>

namespace dcube::detail {

struct PlanningStage {
    std::string_view what;  // "spread: try 3"
    double done;            // 0 to 1 of the whole
};

// For as long as it lives, planning in this thread asks this token and tells this function. Tokens of scopes around it
// are asked too; where it has no function, the next one's around it is told.
class PlanningScope {
public:
    explicit PlanningScope(std::stop_token stop, std::function<void(const PlanningStage&)> tell = {});
    ~PlanningScope();
    PlanningScope(const PlanningScope&) = delete;
    PlanningScope& operator=(const PlanningScope&) = delete;

private:
    friend void planning(std::string_view what, double done);
    std::stop_token stop_;
    std::function<void(const PlanningStage&)> tell_;
    PlanningScope* outer_;
};

// What makes a plan calls this at least every few milliseconds of work. Throws Interrupted once a stop is requested.
void planning(std::string_view what, double done);

}  // namespace dcube::detail
