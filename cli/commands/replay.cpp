// dcube replay: a schedule from a file, judged, run on real bytes, verified, and compared with what is known.

#include "cli/commands/one_run.hpp"
#include "cli/output.hpp"
#include "cli/plan_options.hpp"
#include "cli/ranks.hpp"
#include "cli/shared_options.hpp"
#include "cli/text/colour.hpp"
#include "cli/text/report_text.hpp"
#include "cli/text/table.hpp"
#include "cli/text/verdict_text.hpp"
#include "cli/trace_options.hpp"
#include "run/report_fields.hpp"

#include <dcube/error.hpp>
#include <dcube/schedule.hpp>

#include <memory>
#include <string_view>
#include <utility>

namespace dcube::cli {

namespace {

struct ReplayOptions {
    explicit ReplayOptions(CLI::App& app)
        : trace(app, ProblemOptions::Reductions::with_operation, TraceOptions::Links::as_wished),
          machine(app, Sweep::no, Over::all_ranks), data(app)
    {
        add_format(app, {Format::text, Format::json, Format::csv}, format);
        add_verbose(app, rows);
        add_quiet(app);
    }

    TraceOptions trace;
    MachineSettings machine;
    DataOptions data;
    Format format = Format::text;
    Rows rows = Rows::main;
};

struct JudgedSchedule {
    JudgedTrace judged;
    PieceSchedule schedule;
};

// The file is judged before anything is run, so that errors are reported with their line.
JudgedSchedule read_schedule(const ReplayOptions& options)
{
    JudgedSchedule read;
    JudgeOptions how;
    how.schedule = true;
    how.accepted = collected_in(read.schedule);
    try {
        read.judged = options.trace.judged(std::move(how), options.format);
    } catch (const TraceFormatError& error) {
        throw InvalidArgument(error.what());
    }
    if (!read.judged.question.problem.within.empty())
        throw InvalidArgument("within", "", "is not for replay: traces of groups are verified and viewed");
    return read;
}

Entry algorithm_in(JudgedSchedule& read)
{
    const Cost cost{read.judged.verdict.steps, read.judged.verdict.transmissions};
    const std::string_view name = read.judged.file == "-" ? "standard input" : std::string_view(read.judged.file);
    return {algorithm_of({.collective = read.judged.question.problem.collective,
                          .name = name,
                          .ports = read.judged.question.ports,
                          .half_duplex = true,  // the judge has looked
                          .cost = [cost](const Topology&, const Problem&) { return cost; }},
                         std::move(read.schedule)),
            {.paper = "a schedule from a file", .origin = Origin::own}};
}

RunCommand command_of(const ReplayOptions& options, JudgedSchedule& read)
{
    RunCommand command;
    const TraceQuestion& question = read.judged.question;
    command.topology = question.topology;
    command.problem = question.problem;
    command.machine = options.machine.only(question.ports, question.problem.link);
    command.own = std::make_shared<const Entry>(algorithm_in(read));
    command.threads_given = options.machine.threads_given();
    options.data.put_into(command, options.trace.problem());
    command.format = options.format;
    command.rows = options.rows;
    return command;
}

void print_replay(const RunCommand& command, const Report& report)
{
    if (command.format == Format::text)
        return print(report_text(report, command.rows, choose_colour(command.colour)) +
                     best_row(report, "this schedule"));
    Json record = record_of(report);
    record.update(record_of(best_known_fields(), best_known(report)));
    print(in_format(record, command.format));
}

void replay(ReplayOptions& options, const Interrupt& interrupt)
{
    options.machine.spread_over(shared_world());
    options.trace.spread_over(shared_world());
    JudgedSchedule read;
    RunCommand command;
    together(process_world(), [&] {
        options.data.reject_contradictions(options.trace.problem(), 1, options.format);
        read = read_schedule(options);
        command = command_of(options, read);
    });
    const FileBytes input = read_data(command);
    Report report;
    try {
        PlanningWatch watch(interrupt);
        report = run_once(command, input.bytes(), interrupt, watch.progress());
    } catch (const Error& error) {
        print_failure(command, error);
        throw;
    }
    print_replay(command, report);
}

Execution define_replay(CLI::App& app)
{
    const auto options = std::make_shared<ReplayOptions>(app);
    return [options](const Interrupt& interrupt) {
        replay(*options, interrupt);
        return 0;
    };
}

}  // namespace

extern const Command replay_command{.name = "replay",
                                    .usage = "replay FILE [COLLECTIVE --dim D] [OPTIONS]",
                                    .summary = "run a schedule from a file: any trace, or your own",
                                    .footer = R"(Examples:
  dcube run scatter --dim 5 --trace t.jsonl
  dcube replay t.jsonl
  dcube replay t.jsonl --tau 1 --beta 1000 --format json
  dcube replay - broadcast --dim 2 --bytes 1K < own.jsonl

The file is judged as by dcube verify, then run on real bytes, every byte of which is checked, and compared with )"
                                              R"(the lower bounds and with dcube's own best algorithm.

The first line may describe the problem; without it the options do:
  {"dcube_trace":1,"collective":"broadcast","topology":"hypercube:2","bytes":64}
Each line after it is one packet, sorted by step. "to" or "port" is enough,
a piece may omit what the collective determines, and a line its pieces, if
they follow from what its sender has and its receiver lacks:
  {"step":1,"from":0,"to":1,"pieces":[{"origin":0}]}
  {"step":2,"from":0,"port":1,"pieces":[{"offset":0,"length":64}]}
  {"step":2,"from":1,"to":3}
GOAL and MSCCL's XML, as dcube export writes them, are read too.
Links that take time may differ from those in the file: times come from the run.)",
                                    .define = define_replay,
                                    .over = Over::all_ranks};

}  // namespace dcube::cli
