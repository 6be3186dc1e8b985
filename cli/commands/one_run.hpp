#pragma once
// One run of dcube run or dcube replay: its options, files and signals around dcube::run_verified.

#include "cli/arguments.hpp"
#include "cli/files/interrupt.hpp"
#include "cli/files/rank_files.hpp"
#include "cli/problem_options.hpp"
#include "cli/requests.hpp"
#include "cli/text/progress.hpp"

#include <dcube/error.hpp>
#include <dcube/report.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace dcube::cli {

/// All nodes' input where it comes from a file, else nothing. Settles what the file decides: the size of the blocks, or
/// a matrix' sides. Throws InvalidArgument.
FileBytes read_data(RunCommand& command);

/// Runs it, on all ranks of the command's machine, and writes the files that it asks for, unless there is an interrupt.
/// `progress` is null if none is to be shown. Throws what run_verified throws.
Report run_once(const RunCommand& command, std::span<const std::byte> input, const Interrupt& interrupt,
                Progress* progress);

/// Prints why a run failed if JSON was asked for; nothing if it could not begin or was interrupted.
void print_failure(const RunCommand& command, const Error& error);

/// --input, --output, --trace, --trace-format, --repeat and --color
class DataOptions {
public:
    explicit DataOptions(CLI::App& app);
    DataOptions(const DataOptions&) = delete;
    DataOptions& operator=(const DataOptions&) = delete;

    /// Throws InvalidArgument for options that are not possible together, or not with that many runs.
    void reject_contradictions(const ProblemOptions& problem, std::size_t runs, Format format) const;
    /// Puts in what these options say, the seed, and whether a type was given.
    void put_into(RunCommand& command, const ProblemOptions& problem) const;

    [[nodiscard]] bool has_input() const { return input_.has_value(); }

private:
    std::optional<std::string> input_;
    std::optional<std::string> output_;
    std::optional<std::string> trace_;
    std::optional<TraceFormat> trace_format_;
    std::optional<std::uint64_t> repeat_;
    ColourMode colour_ = ColourMode::automatic;
};

}  // namespace dcube::cli
