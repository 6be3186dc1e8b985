#include "cli/commands/sweep_of_runs.hpp"

#include "base/numbers.hpp"
#include "cli/commands/one_run.hpp"
#include "cli/output.hpp"
#include "cli/plan_options.hpp"
#include "cli/ranks.hpp"
#include "cli/text/colour.hpp"
#include "cli/text/explanation.hpp"
#include "cli/text/numbers.hpp"
#include "cli/text/records.hpp"
#include "cli/text/report_text.hpp"
#include "cli/text/reports_table.hpp"
#include "explain/pages.hpp"
#include "run/report.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/error.hpp>
#include <dcube/forecast.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace dcube::cli {

namespace {

void explain_one(const RunCommand& command, const Interrupt& interrupt)
{
    const detail::PlanningScope planning(interrupt.token());
    const explain::Case one{command.topology, command.machine.ports, command.problem};
    const Algorithm& algorithm = find_algorithm(one.topology, one.ports, one.problem, command.algorithm);
    print("\n" + page_text(explain::run_page(algorithm, one), Format::text));
}

void print_one(const RunCommand& command, const Report& report)
{
    if (command.format == Format::text)
        print(report_text(report, choose_colour(command.colour)));
    else
        print(report_record(report, command.format));
}

void print_one(const RunCommand& command, const Forecast& forecast)
{
    if (command.format == Format::text)
        print(forecast_text(forecast, choose_colour(command.colour)));
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

Forecast done(RunCommand& command, const Interrupt&, PlanningWatch&, std::type_identity<Forecast>)
{
    read_data(command);
    check_algorithm(command);
    return forecast(command.topology, command.machine, command.problem, command.algorithm);
}

// "hypercube:9, 1 packet of 64 bytes, algorithm auto".
std::string run_text(const RunCommand& command)
{
    const Problem& problem = command.problem;
    const std::string size =
        is_matrix(problem.collective)
            ? ""
            : fmt::format(", {} of {}", counted(problem.packets, "packet"), size_text(problem.bytes));
    return fmt::format("{}{}, algorithm {}", command.topology.name(), size, command.algorithm);
}

// What a sweep could not do, in one line.
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
            complain(
                fmt::format("{} of {} runs left out: {}{}", count_, runs, told_, count_ > most_told ? "; ..." : ""));
    }

private:
    static constexpr std::size_t most_told = 3;

    std::size_t count_ = 0;
    std::string told_;
};

// All that can be done, one after the other. What is done already is printed even where a later run is interrupted or
// goes wrong; where nothing can be done, the first one's reason is thrown.
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
    std::string first_reason;
    std::size_t number = 0;
    for (RunCommand& command : commands) {
        if (watch->progress())
            watch->progress()->begin_task(++number, commands.size(), run_text(command));
        std::string reason;
        try {
            results.push_back(done(command, interrupt, *watch, std::type_identity<Result>()));
        } catch (const InvalidArgument& error) {
            reason = error.what();
        } catch (const std::bad_alloc&) {
            reason = "out of memory";
        } catch (...) {
            report();
            throw;
        }
        if (!reason.empty())
            left_out.add(command, reason);
        first_reason = first_reason.empty() ? reason : first_reason;
    }
    if (results.empty())
        throw InvalidArgument(first_reason);
    report();
}

template <class Result>
void execute(std::vector<RunCommand>& commands)
{
    const Interrupt interrupt;
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

}  // namespace

void run_all(std::vector<RunCommand> commands)
{
    execute<Report>(commands);
}

void forecast_all(std::vector<RunCommand> commands)
{
    execute<Forecast>(commands);
}

void require_algorithm(const Topology& topology, PortModel ports, const Problem& problem, const std::string& algorithm)
{
    const Algorithm& found = find_algorithm(topology, ports, problem, algorithm);
    if (const std::string_view ignored = ignored_choice(found, problem.tuning); !ignored.empty())
        throw InvalidArgument(fmt::format("{}{} has no {} to choose: leave the option out, or name an algorithm that "
                                          "has them with --algorithm",
                                          found.name, algorithm == "auto" ? ", which is taken here," : "", ignored));
}

}  // namespace dcube::cli
