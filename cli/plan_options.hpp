#pragma once
// The options for planning, and how planning is watched.

#include "base/planning.hpp"
#include "cli/arguments.hpp"
#include "cli/files/interrupt.hpp"
#include "cli/text/progress.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace dcube::cli {

/// --plan-cache
class PlanOptions {
public:
    explicit PlanOptions(CLI::App& app);
    PlanOptions(const PlanOptions&) = delete;
    PlanOptions& operator=(const PlanOptions&) = delete;

    /// Plans are kept where the option says from now on. Throws InvalidArgument if they cannot be.
    void use() const;

private:
    std::optional<std::string> folder_{};
};

/// While it lives, a signal stops this thread's planning, and a user waiting at a terminal sees its progress.
class PlanningWatch {
public:
    explicit PlanningWatch(const Interrupt& interrupt);
    PlanningWatch(const PlanningWatch&) = delete;
    PlanningWatch& operator=(const PlanningWatch&) = delete;

    /// Null if it has no viewer.
    [[nodiscard]] Progress* progress() { return progress_ ? &*progress_ : nullptr; }

    /// Another run is planned.
    void restart();
    /// The stages that have taken longest since then: "prices 1.6 s, virtual time 1.1 s"; empty if none was reported.
    [[nodiscard]] std::string longest() const;

private:
    using Clock = std::chrono::steady_clock;
    void note(const detail::PlanningStage& stage);

    std::optional<Progress> progress_{};
    std::map<std::string, double, std::less<>> seconds_{};  // by what was planned
    std::string last_{};                                    // the stage reported last, and when it was
    Clock::time_point last_said_{};
    detail::PlanningScope scope_;
};

}  // namespace dcube::cli
