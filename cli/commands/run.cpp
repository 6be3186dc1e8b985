// dcube run: one run, or a sweep of them in one table.

#include "cli/commands/sweep_of_runs.hpp"
#include "cli/data_options.hpp"
#include "cli/failing_options.hpp"
#include "cli/ranks.hpp"
#include "cli/run_sweep.hpp"

#include <dcube/error.hpp>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace dcube::cli {

namespace {

struct RunArguments {
    explicit RunArguments(CLI::App& app);

    [[nodiscard]] std::vector<RunCommand> commands();

    RunSweep sweep;
    FailingOptions failures;
    DataOptions data;
    bool dry_run = false;
    bool explain = false;
    Format format = Format::text;
};

RunArguments::RunArguments(CLI::App& app) : sweep(app), failures(app), data(app)
{
    add_flag(app, {"--dry-run", "", "say what a run would take, and do not run", "Output"}, dry_run);
    add_flag(app, {"--explain", "", "explain the algorithm and the bound after the report", "Output"}, explain);
    add_format(app, {Format::text, Format::json, Format::csv}, format);
}

std::vector<RunCommand> RunArguments::commands()
{
    const Collective collective = sweep.problem.collective();
    const bool matrix_file = data.has_input() && is_matrix(collective);  // it may say how large the matrix is
    if (matrix_file)
        sweep.problem.allow_unknown_size();
    RunCommand common;
    data.put_into(common, sweep.problem);
    common.format = format;
    common.explain = explain;
    common.failing = failures.all();
    std::vector<RunCommand> commands = sweep.runs(common, [&](RunCommand& command) {
        validate(command.failing, command.topology);
        if (data.has_input() && !matrix_file && !sweep.problem.has_bytes()) {
            command.block_size = BlockSize::open;
            command.problem.bytes = is_reduction(collective) ? size_of(command.problem.type) : 1;
        }
        if (!matrix_file)
            validate(command.problem, command.topology);
    });
    data.reject_contradictions(sweep.problem, commands.size(), format);
    if (explain && (commands.size() > 1 || format != Format::text))
        throw InvalidArgument("--explain is for one run with a text report: leave out --format and lists of values");
    if (dry_run) {
        data.reject_dry_run();
        failures.reject_dry_run();
    }
    return commands;
}

std::function<int()> define_run(CLI::App& app)
{
    const auto options = std::make_shared<RunArguments>(app);
    return [options] {
        options->sweep.machine.spread_over(shared_world());
        std::vector<RunCommand> commands;
        together(process_world(), [&] {
            commands = options->commands();
            options->sweep.plans.use();
        });
        if (options->dry_run)
            forecast_all(std::move(commands));
        else
            run_all(std::move(commands));
        return 0;
    };
}

}  // namespace

extern const Command run_command{
    .name = "run",
    .usage = "run COLLECTIVE --dim D [OPTIONS]",
    .summary = "run a collective, verify every byte, and report",
    .footer = R"(Examples:
  dcube run all-to-all --dim 8 --bytes 4KiB
  dcube run all-reduce --dim 6 --packets 64 --bytes 1K --op sum --type float
  dcube run "total exchange" --dim 10 --ports one --dry-run
  dcube run gather --dim 4 --root 3 --input LICENSE --output gathered
  dcube run scatter --dim 5 --trace t.jsonl --format json
  dcube run all-gather --dim 2 --trace-format table --explain
  dcube run broadcast --dim 8 --bytes 1M --link link-bound --tau 1 --beta 500
  dcube run permute --dim 6 --permutation shuffle --machine ipsc860
  dcube run all-to-all --topology torus:6x6 --bytes 1KiB
  dcube run broadcast --dim 4 --algorithm independent-trees --fail-link 0-1@1
  dcube run all-to-all --dim 4:8 --bytes 8:4KiB:x8 --format csv
  dcube run matrix-transpose --dim 2 --rows 8 --cols 8 --output a.npy
  dcube run matrix-transpose --dim 2 --machine ipsc2 --input a.npy --output b

--dim, --topology, --bytes, --packets, --threads and --algorithm take several values, as 4,6 or 4:10 or 4:10:+2 or )"
              R"(8:4KiB:x8: then all combinations run, and the reports make one table.

Sizes are binary (K is KiB). Without --input the blocks are filled from the seed, and every byte that arrives is )"
              R"(checked. Sums of integers wrap around: of uint8 at 256.)",
    .define = define_run,
    .over = Over::all_ranks,
};

}  // namespace dcube::cli
