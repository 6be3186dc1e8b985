// dcube run: one run, or a sweep of them in one table.

#include "base/numbers.hpp"
#include "cli/commands/one_run.hpp"
#include "cli/output.hpp"
#include "cli/plan_options.hpp"
#include "cli/ranks.hpp"
#include "cli/requests.hpp"
#include "cli/run_sweep.hpp"
#include "cli/text/colour.hpp"
#include "cli/text/explanation.hpp"
#include "cli/text/records.hpp"
#include "cli/text/report_text.hpp"
#include "cli/text/reports_table.hpp"
#include "inspect/explain/pages.hpp"
#include "run/report.hpp"

#include <dcube/error.hpp>
#include <dcube/run.hpp>

#include <fmt/format.h>

#include <exception>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace dcube::cli {

namespace {

void explain_one(const RunCommand& command, const Interrupt& interrupt)
{
    const detail::PlanningScope planning(interrupt.token());
    const explain::Case one{command.topology, command.machine.ports, command.problem};
    const Entry& algorithm = find_algorithm(one.topology, one.ports, one.problem, command.algorithm);
    print("\n" + page_text(explain::run_page(algorithm, one), Format::text));
}

void print_one(const RunCommand& command, const Report& report)
{
    if (command.format == Format::text)
        print(report_text(report, command.rows, choose_colour(command.colour)));
    else
        print(report_record(report, command.format));
}

void print_one(const RunCommand& command, const Forecast& forecast)
{
    if (command.format == Format::text)
        print(forecast_text(forecast, command.rows, choose_colour(command.colour)));
    else
        print(forecast_record(forecast, command.format));
}

void print_all(const RunCommand& command, const std::vector<Report>& reports)
{
    print(command.format == Format::text ? reports_table(reports) : reports_record(reports, command.format));
}

void print_all(const RunCommand& command, const std::vector<Forecast>& forecasts)
{
    print(command.format == Format::text ? forecasts_table(forecasts) : forecasts_record(forecasts, command.format));
}

// Complains of what cannot be run before anything is.
void check_algorithm(const RunCommand& command)
{
    together(process_world(),
             [&] { require_algorithm(command.topology, command.machine.ports, command.problem, command.algorithm); });
}

Report done(RunCommand& command, const Interrupt& interrupt, PlanningWatch& watch, std::type_identity<Report>)
{
    const FileBytes input = read_data(command);
    watch.restart();
    const Stopwatch choosing;
    check_algorithm(command);
    const double chosen = choosing.seconds();
    Report report = run_once(command, input.bytes(), interrupt, watch.progress());
    report.planning_seconds += chosen;
    report.planning_parts = watch.longest();
    return report;
}

Forecast done(RunCommand& command, const Interrupt& interrupt, PlanningWatch&, std::type_identity<Forecast>)
{
    interrupt.check();
    read_data(command);
    check_algorithm(command);
    return forecast(command.topology, command.machine, command.problem, command.algorithm);
}

// "hypercube:9, 1 packet of 64 bytes, algorithm auto".
std::string run_text(const RunCommand& command)
{
    const Problem& problem = command.problem;
    const std::string size = is_matrix(problem.collective) || is_barrier(problem.collective)
                                 ? ""
                                 : fmt::format(", {}{} of {}", problem.counts.empty() ? "" : "up to ",
                                               counted(most_packets(problem), "packet"), size_text(problem.bytes));
    return fmt::format("{}{}, algorithm {}", command.topology.name(), size, command.algorithm);
}

// The runs that a sweep had to leave out, reported in one line.
class LeftOutRuns {
public:
    void add(const RunCommand& command, const std::string& reason)
    {
        if (++count_ <= most_told)
            told_ += fmt::format("{}{}: {}", told_.empty() ? "" : "; ", run_text(command), reason);
    }

    void complain_of(std::size_t runs) const
    {
        if (count_ > 0)
            note(fmt::format("{} of {} runs left out: {}{}", count_, runs, told_, count_ > most_told ? "; ..." : ""));
    }

private:
    static constexpr std::size_t most_told = 3;

    std::size_t count_ = 0;
    std::string told_;
};

// Does all runs that are possible, one after the other. Finished runs are printed even if a later one is interrupted or
// fails; if none is possible, the error of the first is thrown.
template <class Result>
void sweep(std::vector<RunCommand>& commands, const Interrupt& interrupt)
{
    std::vector<Result> results;
    LeftOutRuns left_out;
    std::optional<PlanningWatch> watch(std::in_place, interrupt);
    const auto report = [&] {
        watch.reset();  // nothing is drawn beside the table
        if (!results.empty())
            print_all(commands.front(), results);
        left_out.complain_of(commands.size());
    };
    std::exception_ptr first;
    const auto leave_out = [&](const RunCommand& command, const std::string& reason) {
        left_out.add(command, reason);
        if (!first)
            first = std::current_exception();
    };
    std::size_t number = 0;
    for (RunCommand& command : commands) {
        if (watch->progress())
            watch->progress()->begin_task(++number, commands.size(), run_text(command));
        try {
            results.push_back(done(command, interrupt, *watch, std::type_identity<Result>()));
        } catch (const InvalidArgument& error) {
            leave_out(command, error.sentence(given_option));
        } catch (const std::bad_alloc&) {
            leave_out(command, "out of memory");
        } catch (...) {
            report();
            throw;
        }
    }
    if (results.empty())
        std::rethrow_exception(first);
    report();
}

template <class Result>
void execute(std::vector<RunCommand>& commands, const Interrupt& interrupt)
{
    if (commands.size() > 1)
        return sweep<Result>(commands, interrupt);
    std::optional<PlanningWatch> watch(std::in_place, interrupt);
    const Result result = [&] {
        try {
            return done(commands.front(), interrupt, *watch, std::type_identity<Result>());
        } catch (const Error& error) {
            watch.reset();
            print_failure(commands.front(), error);
            throw;
        }
    }();
    watch.reset();
    print_one(commands.front(), result);
    if (commands.front().explain)
        explain_one(commands.front(), interrupt);
}

// Runs them one after the other and prints the reports. Of several, those that cannot be done are left out, in one
// line on standard error, as long as one can. Throws what a run throws.
void run_all(std::vector<RunCommand> commands, const Interrupt& interrupt)
{
    execute<Report>(commands, interrupt);
}

// The same, but says what they would take.
void forecast_all(std::vector<RunCommand> commands, const Interrupt& interrupt)
{
    execute<Forecast>(commands, interrupt);
}

struct RunArguments {
    explicit RunArguments(CLI::App& app);

    [[nodiscard]] std::vector<RunCommand> commands();

    RunSweep sweep;
    DataOptions data;
    std::vector<Failing> failing;
    Given given;  // but for the sweep's
    bool dry_run = false;
    bool explain = false;
    Format format = Format::text;
    Rows rows = Rows::main;
};

RunArguments::RunArguments(CLI::App& app) : sweep(app), data(app)
{
    add_failing(app, failing);
    add_key(app, *find_key("in_place"), given);
    add_flag(app, {"--dry-run", "", "estimate the run, and do not run it", "Output"}, dry_run);
    add_flag(app, {"--explain", "", "explain the algorithm and the bound after the report", "Output"}, explain);
    add_format(app, {Format::text, Format::json, Format::csv}, format);
    add_verbose(app, rows);
    add_quiet(app);
    exclude(app, "--dry-run", {"--output", "--trace", "--trace-format", "--repeat", "--fail-link", "--fail-node"});
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
    common.rows = rows;
    common.explain = explain;
    common.run.failing = failing;
    std::vector<RunCommand> commands = sweep.runs(common, [&](RunCommand& command) {
        validate(command.run.failing, command.topology);
        command.problem.in_place = given.question.problem.in_place;
        if (data.has_input() && !matrix_file && !sweep.problem.has_bytes()) {
            command.block_size = BlockSize::open;
            command.problem.bytes = is_reduction(collective) ? size_of(command.problem.type) : 1;
        }
        if (!matrix_file)
            validate(command.problem, command.topology);
    });
    if (commands.size() == 1)  // the rows of a table are alike
        commands.front().how.longest_cold_seconds = usual_longest_cold_seconds;
    data.reject_contradictions(sweep.problem, commands.size(), format);
    reject_if(explain && (commands.size() > 1 || format != Format::text),
              "--explain is for one run with a text report: leave out --format and lists of values");
    reject_if(rows == Rows::all && commands.size() > 1,
              "--verbose is for the report of one run: leave out lists of values");
    return commands;
}

Execution define_run(CLI::App& app)
{
    const auto options = std::make_shared<RunArguments>(app);
    return [options](const Interrupt& interrupt) {
        options->sweep.machine.spread_over(shared_world());
        std::vector<RunCommand> commands;
        together(process_world(), [&] {
            commands = options->commands();
            options->sweep.plans.use();
        });
        if (options->dry_run)
            forecast_all(std::move(commands), interrupt);
        else
            run_all(std::move(commands), interrupt);
        return 0;
    };
}

}  // namespace

extern const Command run_command{
    .name = "run",
    .usage = "run COLLECTIVE --dim D [OPTIONS]",
    .summary = "run a collective, verify every byte, and report",
    .footer =
        R"(Examples:
  dcube run all-to-all --dim 8 --bytes 4KiB
  dcube run all-reduce --dim 6 --packets 64 --operation sum --type float
  dcube run "total exchange" --dim 10 --ports one --dry-run
  dcube run gather --dim 4 --root 3 --input LICENSE --output gathered
  dcube run scatter --dim 5 --trace t.jsonl --format json
  dcube run all-gather --dim 2 --trace-format table --explain
  dcube run broadcast --dim 8 --bytes 1M --link link-bound --tau 1 --beta 500
  dcube run permute --dim 6 --permutation shuffle --machine infiniband-hdr
  dcube run all-to-all --topology torus:6x6 --bytes 1KiB
  dcube run broadcast --dim 4 --algorithm independent-trees --fail-link 0-1@1
  dcube run all-to-all --dim 4:8 --bytes 8:4KiB:x8 --format csv
  dcube run matrix-transpose --dim 2 --rows 8 --columns 8 --output a.npy
  dcube run matrix-transpose --dim 2 --machine ncube3 --input a.npy --output b

--dim, --topology, --bytes, --packets, --threads and --algorithm take several values, as 4,6 or 4:10 or 4:10:+2 or )"
        R"(8:4KiB:x8: then all combinations run, and the reports make one table.

Sizes are binary (K is KiB). Without --input the blocks are filled from the seed. Every byte that arrives is )"
        R"(checked, sums of floats from a file within rounding. Integer sums wrap around: those of uint8 at 256.)",
    .define = define_run,
    .over = Over::all_ranks,
    .heading = to_begin,
};

}  // namespace dcube::cli
