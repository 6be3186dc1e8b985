#pragma once
// Options that say where a run's data come from and go to, and how often it is made.

#include "cli/arguments.hpp"
#include "cli/problem_options.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace dcube::cli {

/// --input, --output, --trace, --trace-format, --repeat and --color
class DataOptions {
public:
    explicit DataOptions(CLI::App& app);
    DataOptions(const DataOptions&) = delete;
    DataOptions& operator=(const DataOptions&) = delete;

    /// Throws InvalidArgument: what is not possible together, or with so many runs.
    void reject_contradictions(const ProblemOptions& problem, std::size_t runs, Format format) const;
    /// Throws InvalidArgument where something is to be made of a run that is not to be.
    void reject_dry_run() const;
    /// What they say, the seed, and whether a type was given.
    void put_into(RunCommand& command, const ProblemOptions& problem) const;

    [[nodiscard]] bool has_input() const { return input_.has_value(); }

private:
    std::optional<std::string> input_;
    std::optional<std::string> output_;
    std::optional<std::string> trace_;
    std::optional<TraceFormat> trace_format_;
    std::optional<std::uint64_t> repeat_;
    std::optional<ColourMode> colour_;
};

}  // namespace dcube::cli
