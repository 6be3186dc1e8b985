#pragma once
// What a user says of planning, and how it is watched.

#include "base/planning.hpp"
#include "cli/arguments.hpp"
#include "cli/files/interrupt.hpp"
#include "cli/text/progress.hpp"

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

/// While it lives, a signal ends what this thread plans, and whoever waits at a terminal sees how far that is.
class PlanningWatch {
public:
    explicit PlanningWatch(const Interrupt& interrupt);
    PlanningWatch(const PlanningWatch&) = delete;
    PlanningWatch& operator=(const PlanningWatch&) = delete;

    /// Null where nobody waits.
    [[nodiscard]] Progress* progress() { return progress_ ? &*progress_ : nullptr; }

private:
    std::optional<Progress> progress_{};
    detail::PlanningScope scope_;
};

}  // namespace dcube::cli
