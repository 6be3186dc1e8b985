#include "cli/text/verdict_text.hpp"

#include "cli/text/describe.hpp"
#include "cli/text/numbers.hpp"
#include "cli/text/report_text.hpp"

#include <dcube/bounds.hpp>
#include <dcube/catalogue.hpp>
#include <dcube/error.hpp>
#include <dcube/report.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <optional>
#include <string_view>

namespace dcube::cli {

namespace {

using nlohmann::ordered_json;

/// What dcube's own best algorithm takes for the same.
struct Best {
    std::string_view name;
    std::uint64_t steps;
    std::optional<Rational> time;  ///< link-bound
};

std::optional<Best> best_known(const TraceQuestion& question)
{
    try {
        const Algorithm& best = find_algorithm(question.topology, question.ports, question.problem);
        if (!question.problem.link.bound())
            return Best{best.name, best.cost(question.topology, question.problem).steps, std::nullopt};
        return Best{best.name, 0, best.time(question.topology, question.problem)};
    } catch (const InvalidArgument&) {
        return std::nullopt;  // dcube has none
    }
}

// The trace's steps or time over the best algorithm's.
std::optional<double> ratio_to(const Best& best, const Report& report)
{
    if (report.link.bound()) {
        if (!best.time || best.time->numerator == 0)
            return std::nullopt;
        return report.virtual_time_ns->to_double() / best.time->to_double();
    }
    return best.steps == 0 ? std::nullopt
                           : std::optional(static_cast<double>(report.counts.steps) / static_cast<double>(best.steps));
}

Report report_of(const JudgedTrace& trace)
{
    const TraceQuestion& question = trace.question;
    Report report = blank_report(question.topology, question.ports, question.problem);
    report.counts.steps = static_cast<Step>(trace.verdict.steps);
    report.counts.transmissions = trace.verdict.transmissions;
    report.counts.bytes = trace.verdict.bytes;
    report.virtual_time_ns = trace.verdict.virtual_time_ns;
    return report;
}

std::string best_text(const Best& best, const Report& report)
{
    const std::string takes = !report.link.bound()
                                  ? fmt::format("{} step{}", grouped(best.steps), best.steps == 1 ? "" : "s")
                              : best.time ? time_text(*best.time)
                                          : "a time that only a run tells";
    const auto ratio = ratio_to(best, report);
    return fmt::format("{} takes {}{}", best.name, takes,
                       ratio ? fmt::format("; this trace {:.3f} times that", *ratio) : "");
}

std::string counts_text(const Report& report, Colour colour)
{
    if (!report.link.bound())
        return count_row("steps", report.counts.steps, report.steps_lower_bound, report.steps_reason, colour) +
               count_row("transmissions", report.counts.transmissions, report.transmissions_lower_bound,
                         report.transmissions_reason, colour);
    return row("links", describe(report.link)) + row("virtual time", time_text(*report.virtual_time_ns)) +
           row("lower bound", time_bound_text(report, colour)) + row("packets", grouped(report.counts.transmissions));
}

}  // namespace

std::string verdict_text(const JudgedTrace& trace, Colour colour)
{
    const Report report = report_of(trace);
    std::string text = wrapped(fmt::format("{} by the trace in {}", name(report.problem.collective),
                                           trace.file == "-" ? "standard input" : trace.file));
    text += wrapped(describe(report.topology, report.ports) + ": " + describe(report.problem, report.topology)) + "\n";
    text += counts_text(report, colour);
    if (const auto best = best_known(trace.question))
        text += row("best known", best_text(*best, report));
    text += row("link bytes", grouped(report.counts.bytes));
    const std::uint64_t lines = trace.verdict.lines;
    return text + fmt::format("{:<15}{}, {} line{}\n", "verdict", green(colour, "accepted"), grouped(lines),
                              lines == 1 ? "" : "s");
}

std::string verdict_record(const JudgedTrace& trace)
{
    const Report report = report_of(trace);
    ordered_json record = ordered_json::parse(to_json(report, RecordKind::verdict));
    const auto best = best_known(trace.question);
    const auto ratio = best ? ratio_to(*best, report) : std::nullopt;
    const bool timed = best && best->time;
    record["lines"] = trace.verdict.lines;
    record["best_algorithm"] = best ? ordered_json(best->name) : ordered_json();
    record["best_steps"] = best && !report.link.bound() ? ordered_json(best->steps) : ordered_json();
    record["best_time_ns_decimal"] = timed ? ordered_json(best->time->to_double()) : ordered_json();
    record["ratio_to_best"] = ratio ? ordered_json(*ratio) : ordered_json();
    record["accepted"] = true;
    return record.dump(2) + "\n";
}

std::string rejection_record(const std::optional<TraceQuestion>& question, const TraceError& error)
{
    ordered_json record;
    if (question) {
        Report report;
        report.problem = question->problem;
        report.topology = question->topology;
        report.ports = question->ports;
        report.link = question->problem.link;
        record = ordered_json::parse(to_json(report, RecordKind::trace));
        record.erase("algorithm");
        record.erase("seed");
    }
    record["accepted"] = false;
    record["line"] = error.line == 0 ? ordered_json() : ordered_json(error.line);
    record["reason"] = error.what();
    return record.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace dcube::cli
