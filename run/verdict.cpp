#include "run/verdict.hpp"

#include "run/report_fields.hpp"

#include <dcube/error.hpp>

namespace dcube {

namespace {

using K = const BestKnown&;

constexpr Field<BestKnown> of_best_known[] = {
    {"best_algorithm", "", "dcube's own best algorithm for the same", [](K k) { return or_null(std::string(k.name)); }},
    {"best_steps", "", "its steps; unit model only", [](K k) { return or_null(k.steps); }},
    {"best_time_ns", "ns", "its predicted time; link-bound only, exact",
     [](K k) { return k.time ? exact(k.time->ns) : Json(); }},
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
    {"line", "", "first offending line of a rejected trace; null if it is the whole trace",
     [](E error) { return if_applies(error->line != 0, error->line); }},
    {"reason", "", "reason for the rejection", [](E error) -> Json { return error->what(); }},
};

}  // namespace

Report report_of(const TraceQuestion& question, const Verdict& verdict)
{
    Report report = blank_report(question.topology, question.ports, question.problem);
    report.failing = question.failing;
    report.redundant = question.redundant;
    report.counts.steps = static_cast<Step>(verdict.steps);
    report.counts.transmissions = verdict.transmissions;
    report.counts.lost = verdict.lost;
    report.counts.bytes = verdict.bytes;
    report.virtual_time_ns = verdict.virtual_time_ns;
    return report;
}

BestKnown best_known(const Report& report)
{
    BestKnown best;
    Problem problem = report.problem;
    problem.tuning = {};  // a choice that a run was given says nothing about the best
    try {
        const Entry& algorithm = find_algorithm(report.topology, report.ports, problem);
        best.name = algorithm.name;
        if (report.link.bound())
            best.time = predicted_time(algorithm, report.topology, problem);
        else
            best.steps = algorithm.cost(report.topology, problem).steps;
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

Json verdict_record(const TraceQuestion& question, const Verdict& verdict)
{
    const Report report = report_of(question, verdict);
    const TraceError* const none = nullptr;
    Json record = record_of(report, RecordKind::verdict);
    record.update(record_of(of_verdicts, verdict));
    record.update(record_of(of_best_known, best_known(report)));
    record.update(record_of(outcome_fields().first(1), none));
    return record;
}

Json rejection_record(const std::optional<TraceQuestion>& question, const TraceError& error)
{
    Json record;
    if (question) {
        const Report report = asked_report(*question);
        for (const ReportEntry& entry : report_entries())
            if (stands_in(entry, RecordKind::trace) && stands_in(entry, RecordKind::verdict))
                record[std::string(entry.key)] = value_of(entry, report);
    }
    record.update(record_of(of_outcomes, &error));
    return record;
}

}  // namespace dcube
