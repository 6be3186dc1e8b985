// dcube run: one run, or a sweep of them in one table.

#include "cli/commands/sweep_of_runs.hpp"
#include "cli/data_options.hpp"
#include "cli/problem_options.hpp"
#include "cli/shared_options.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dcube::cli {

namespace {

constexpr std::size_t most_runs = 10'000;

struct RunArguments {
    explicit RunArguments(CLI::App& app);

    [[nodiscard]] std::vector<RunCommand> commands();
    [[nodiscard]] std::vector<std::string> algorithms() const;
    [[nodiscard]] RunCommand common(const LinkModel& link) const;

    NetworkOptions network;
    ProblemOptions problem;
    LinkOptions links;
    TuningOptions tuning;
    MachineSettings machine;
    DataOptions data;
    std::optional<std::string> algorithm;
    bool dry_run = false;
    bool explain = false;
    Format format = Format::text;
};

RunArguments::RunArguments(CLI::App& app)
    : network(app, Sweep::yes), problem(app, Sweep::yes, ProblemOptions::Reductions::with_operation), links(app),
      tuning(app), machine(app, Sweep::yes), data(app)
{
    add_text(app, {"--algorithm", "NAME", "one that dcube list shows [auto]", "Problem"}, algorithm);
    add_flag(app, {"--dry-run", "", "say what a run would take, and do not run", "Output"}, dry_run);
    add_flag(app, {"--explain", "", "tell why and how after the report: see dcube explain", "Output"}, explain);
    add_format(app, {Format::text, Format::json, Format::csv}, format);
}

// "a,b" names two.
std::vector<std::string> RunArguments::algorithms() const
{
    std::vector<std::string> names{""};
    for (const char c : algorithm.value_or("auto")) {
        if (c == ',')
            names.emplace_back();
        else
            names.back() += c;
    }
    return names;
}

// What all runs of a sweep have in common.
RunCommand RunArguments::common(const LinkModel& link) const
{
    RunCommand command;
    data.put_into(command, problem);
    command.format = format;
    command.explain = explain;
    command.machine = machine.all(problem.ports(), link).front();
    return command;
}

std::vector<RunCommand> RunArguments::commands()
{
    const Collective collective = problem.collective();
    const bool matrix_file = data.has_input() && is_matrix(collective);  // it may say how large the matrix is
    if (matrix_file)
        problem.allow_unknown_size();
    const LinkModel link = links.model();
    RunCommand command = common(link);
    std::vector<RunCommand> commands;
    for (const Topology& topology : network.all()) {
        command.topology = topology;
        for (Problem& one : problem.problems(topology)) {
            one.link = link;
            one.tuning = tuning.tuning(link, topology);
            command.problem = std::move(one);
            if (data.has_input() && !matrix_file && !problem.has_bytes()) {
                command.block_size = BlockSize::open;
                command.problem.bytes = is_reduction(collective) ? size_of(command.problem.type) : 1;
            }
            if (!matrix_file)
                validate(command.problem, topology);
            for (const std::string& name : algorithms())
                for (const MachineOptions& options : machine.all(problem.ports(), link)) {
                    command.algorithm = name;
                    command.machine = options;
                    commands.push_back(command);
                    if (commands.size() > most_runs)
                        throw InvalidArgument(fmt::format("a sweep of more than {} runs is not possible", most_runs));
                }
        }
    }
    data.reject_contradictions(problem, commands.size(), format);
    if (explain && (commands.size() > 1 || format != Format::text))
        throw InvalidArgument("--explain is for one run with a text report: leave out --format and lists of values");
    if (dry_run)
        data.reject_dry_run();
    return commands;
}

std::function<int()> define_run(CLI::App& app)
{
    const auto options = std::make_shared<RunArguments>(app);
    return [options] {
        if (options->dry_run)
            forecast_all(options->commands());
        else
            run_all(options->commands());
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
  dcube run gather --dim 4 --root 3 --input photo.jpg --output gathered
  dcube run scatter --dim 5 --trace t.jsonl --format json
  dcube run all-gather --dim 2 --trace-format table --explain
  dcube run broadcast --dim 8 --bytes 1M --link link-bound --tau 1 --beta 500
  dcube run permute --dim 6 --permutation shuffle --machine ipsc860
  dcube run all-to-all --topology torus:6x6 --bytes 1KiB
  dcube run all-to-all --dim 4:8 --bytes 8:4KiB:x8 --format csv
  dcube run matrix-transpose --dim 2 --rows 8 --cols 8 --tau 1 --beta 9
  dcube run matrix-transpose --dim 2 --machine ipsc2 --input a.npy --output b

--dim, --topology, --bytes, --packets, --threads and --algorithm take several values, as 4,6 or 4:10 or 4:10:+2 or )"
              R"(8:4KiB:x8: then all combinations run, and the reports make one table.

Sizes are binary (K is KiB). Without --input the blocks are filled from the seed, and every byte that arrives is )"
              R"(checked. Sums of integers wrap around: of uint8 at 256.)",
    .define = define_run,
};

}  // namespace dcube::cli
