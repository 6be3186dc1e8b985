#include "cli/text/verdict_text.hpp"

#include "base/numbers.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/numbers.hpp"
#include "cli/text/report_text.hpp"
#include "cli/text/table.hpp"
#include "run/report_fields.hpp"

#include <dcube/bounds.hpp>
#include <dcube/catalogue.hpp>
#include <dcube/error.hpp>
#include <dcube/report.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <optional>

namespace dcube::cli {

namespace {

using K = const BestKnown&;

constexpr Field<BestKnown> of_best_known[] = {
    {"best_algorithm", "", "dcube's own best algorithm for the same", [](K k) { return or_null(std::string(k.name)); }},
    {"best_steps", "", "its steps; unit model only", [](K k) { return or_null(k.steps); }},
    {"best_time_ns_decimal", "ns", "its predicted time; link-bound only",
     [](K k) { return k.time ? Json(k.time->ns.to_double()) : Json(); }},
    {"ratio_to_best", "", "the trace's steps or virtual time over those", [](K k) { return or_null(k.ratio); }},
};

constexpr Field<Verdict> of_verdicts[] = {
    {"lines", "", "lines of the trace that are transmissions",
     [](const Verdict& v) -> Json { return v.transmissions; }},
};

using E = const TraceError* const&;

constexpr Field<const TraceError*> of_outcomes[] = {
    {"accepted", "", "whether the trace keeps all rules and achieves the collective",
     [](E error) -> Json { return error == nullptr; }},
    {"line", "", "of a rejected trace: the first offending line; null if it is the whole trace",
     [](E error) { return if_applies(error->line != 0, error->line); }},
    {"reason", "", "of a rejected trace: why", [](E error) -> Json { return error->what(); }},
};

Report report_of(const JudgedTrace& trace)
{
    const TraceQuestion& question = trace.question;
    Report report = blank_report(question.topology, question.ports, question.problem);
    report.failing = question.failing;
    report.redundant = question.redundant;
    report.counts.steps = static_cast<Step>(trace.verdict.steps);
    report.counts.transmissions = trace.verdict.transmissions;
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

BestKnown best_known(const Report& report)
{
    BestKnown best;
    try {
        const Algorithm& algorithm = find_algorithm(report.topology, report.ports, report.problem);
        best.name = algorithm.name;
        if (report.link.bound())
            best.time = predicted_time(algorithm, report.topology, report.problem);
        else
            best.steps = algorithm.cost(report.topology, report.problem).steps;
    } catch (const InvalidArgument&) {
        return {};  // dcube has none
    }
    const double known = best.time ? best.time->ns.to_double() : static_cast<double>(best.steps.value_or(0));
    if (known > 0 && !report.link.bound())
        best.ratio = static_cast<double>(report.counts.steps) / known;
    else if (known > 0 && report.virtual_time_ns)
        best.ratio = report.virtual_time_ns->to_double() / known;
    return best;
}

std::string best_row(const Report& report, std::string_view what)
{
    const BestKnown best = best_known(report);
    if (best.name.empty())
        return {};
    const std::string takes = best.steps  ? grouped(*best.steps, "step")
                              : best.time ? (best.time->exact ? "" : "at most ") + time_text(best.time->ns)
                                          : "time known only after a run";
    if (!best.ratio)
        return row("best known", fmt::format("{}: {}", best.name, takes));
    const std::string compared =
        *best.ratio == 1 ? "takes the same" : fmt::format("takes {:.4g} times that", *best.ratio);
    return row("best known", fmt::format("{}: {} ({} {})", best.name, takes, what, compared));
}

std::span<const Field<BestKnown>> best_known_fields()
{
    return of_best_known;
}

std::span<const Field<Verdict>> verdict_fields()
{
    return of_verdicts;
}

std::span<const Field<const TraceError*>> outcome_fields()
{
    return of_outcomes;
}

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
    const std::uint64_t lines = trace.verdict.transmissions;
    return text + fmt::format("{:<15}{}, {}\n", "verdict", green(colour, "accepted"), grouped(lines, "line"));
}

std::string verdict_record(const JudgedTrace& trace)
{
    const Report report = report_of(trace);
    const TraceError* const none = nullptr;
    Json record = record_of(report, RecordKind::verdict);
    record.update(record_of(of_verdicts, trace.verdict));
    record.update(record_of(of_best_known, best_known(report)));
    record.update(record_of(outcome_fields().first(1), none));
    return in_format(record, Format::json);
}

std::string rejection_record(const std::optional<TraceQuestion>& question, const TraceError& error)
{
    Json record;
    if (question) {
        const Report report = asked_report(*question);
        for (const ReportEntry& entry : report_entries())
            if (stands_in(entry, RecordKind::trace) && stands_in(entry, RecordKind::verdict))
                record[std::string(entry.key)] = value_of(entry, report);
    }
    record.update(record_of(of_outcomes, &error));
    return in_format(record, Format::json);
}

}  // namespace dcube::cli
