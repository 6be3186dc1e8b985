#pragma once
// The options of dcube bench.

#include "cli/run_sweep.hpp"
#include "inspect/measure/bench_run.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dcube::cli {

enum class BenchFormat : std::uint8_t { text, json, csv, nccl };

/// A command line of dcube bench. It measures, unless files are to be compared or shown.
class BenchOptions {
public:
    explicit BenchOptions(CLI::App& app);
    BenchOptions(const BenchOptions&) = delete;
    BenchOptions& operator=(const BenchOptions&) = delete;

    enum class Task : std::uint8_t { measure, compare, show };

    /// Throws InvalidArgument where options do not go together, or a file has no name.
    [[nodiscard]] Task task() const;

    /// All cells, which differ from each other. Throws InvalidArgument if the options describe no cell.
    [[nodiscard]] std::vector<RunCommand> cells();
    [[nodiscard]] measure::BenchEffort effort() const;
    [[nodiscard]] const PlanOptions& plans() const { return sweep_.plans; }
    /// See MachineSettings::spread_over.
    void spread_over(const std::shared_ptr<World>& world) { sweep_.machine.spread_over(world); }

    /// Processes that measure one after the other, or pairs of them. Throws InvalidArgument where there can be only
    /// one.
    [[nodiscard]] unsigned processes() const;

    bool weak = false;
    bool dry_run = false;
    BenchFormat format = BenchFormat::text;
    std::optional<std::string> output;
    std::optional<std::string> html;
    std::optional<std::string> against;
    std::optional<std::string> against_program;
    std::optional<std::string> shown;  ///< --read
    bool against_each_other = false;
    std::optional<double> min_efficiency;
    std::optional<double> max_slowdown;

private:
    void add_effort(CLI::App& app);
    void add_results(CLI::App& app);
    void reject_measuring() const;
    void check_comparison() const;
    void check_weak(const std::vector<RunCommand>& runs) const;

    CLI::App& app_;
    RunSweep sweep_;
    std::optional<std::uint64_t> processes_{};
    measure::GivenEffort effort_{};  ///< without the seed
};

}  // namespace dcube::cli
