#include "cli/text/verdict_text.hpp"

#include "base/numbers.hpp"
#include "cli/text/best_known.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/numbers.hpp"
#include "cli/text/report_text.hpp"

#include <dcube/bounds.hpp>
#include <dcube/report.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <optional>

namespace dcube::cli {

namespace {

using nlohmann::ordered_json;

Report report_of(const JudgedTrace& trace)
{
    const TraceQuestion& question = trace.question;
    Report report = blank_report(question.topology, question.ports, question.problem);
    report.counts.steps = static_cast<Step>(trace.verdict.steps);
    report.counts.transmissions = trace.verdict.transmissions;
    report.failing = question.failing;
    report.redundant = question.redundant;
    report.counts.lost = trace.verdict.lost;
    report.counts.bytes = trace.verdict.bytes;
    report.virtual_time_ns = trace.verdict.virtual_time_ns;
    return report;
}

std::string counts_text(const Report& report, Colour colour)
{
    if (!report.link.bound())
        return count_row("steps", report.counts.steps, report.steps_lower_bound, report.steps_reason, colour) +
               count_row("transmissions", report.counts.transmissions, report.transmissions_lower_bound,
                         report.transmissions_reason, colour);
    const std::string time = report.virtual_time_ns ? time_text(*report.virtual_time_ns) : "not in the trace";
    return row("links", describe(report.link)) + row("virtual time", time) +
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
    if (report.counts.lost > 0)
        text += row("lost", grouped(report.counts.lost, "packet"));
    text += best_row(report, "this trace");
    text += row("link bytes", grouped(report.counts.bytes));
    const std::uint64_t lines = trace.verdict.lines;
    return text + fmt::format("{:<15}{}, {}\n", "verdict", green(colour, "accepted"), grouped(lines, "line"));
}

std::string verdict_record(const JudgedTrace& trace)
{
    const Report report = report_of(trace);
    ordered_json record = ordered_json::parse(to_json(report, RecordKind::verdict));
    record["lines"] = trace.verdict.lines;
    record.update(best_record(report));
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
        report.failing = question->failing;
        report.redundant = question->redundant;
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
