#pragma once
// --fail-link and --fail-node: what fails in a run.

#include "cli/arguments.hpp"

#include <dcube/failing.hpp>

#include <vector>

namespace dcube::cli {

class FailingOptions {
public:
    explicit FailingOptions(CLI::App& app);
    FailingOptions(const FailingOptions&) = delete;
    FailingOptions& operator=(const FailingOptions&) = delete;

    /// In the order of the command line, links first.
    [[nodiscard]] std::vector<Failing> all() const;

    /// Throws InvalidArgument if something is to fail: for a command that does not run anything.
    void reject_dry_run() const;

private:
    std::vector<Failing> links_;
    std::vector<Failing> nodes_;
};

}  // namespace dcube::cli
