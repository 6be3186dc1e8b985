#include "cli/text/records.hpp"

#include "cli/text/table.hpp"
#include "run/report_fields.hpp"

#include <dcube/error.hpp>
#include <dcube/matrix.hpp>

#include <algorithm>
#include <vector>

namespace dcube::cli {

namespace {

using C = const Comparison&;

Json rows_of(C comparison)
{
    Json rows = Json::array();
    for (const Answer& answer : comparison.answers)
        for (const Contender& contender : answer.contenders) {
            rows.push_back(record_of(contender.report));
            rows.back()["algorithm"] = contender.name;
            rows.back()["best"] = &contender == &answer.contenders.front();
        }
    return rows;
}

// Matrices have no packets.
Json packets_or_null(C comparison, std::uint64_t value)
{
    return if_applies(!is_matrix(comparison.answers.front().question.problem.collective), value);
}

Json best_of(C comparison)
{
    Json best = Json::array();
    for (const BestRange& range : comparison.best())
        best.push_back({{"topology", range.topology},
                        {"packets", packets_or_null(comparison, range.packets)},
                        {"from_bytes", packets_or_null(comparison, range.from)},
                        {"to_bytes", packets_or_null(comparison, range.to)},
                        {"algorithm", range.algorithm}});
    return best;
}

Json left_out_of(C comparison)
{
    Json left_out = Json::array();
    for (const LeftOut& one : comparison.left_out)
        left_out.push_back({{"topology", one.topology},
                            {"from_bytes", packets_or_null(comparison, one.from)},
                            {"to_bytes", packets_or_null(comparison, one.to)},
                            {"algorithm", one.algorithm},
                            {"reason", one.reason}});
    return left_out;
}

constexpr Field<Comparison> of_comparisons[] = {
    {"algorithms", "", "the report of each one's run, and best: whether no other is better", rows_of},
    {"best", "", "which algorithm is best on which network, from which to which size of packets", best_of},
    {"left_out", "", "algorithms that could not do it, where, and why", left_out_of},
};

// The keys of the question that have the same value in everything compared; the size of a packet is in the rows.
Json common_keys(C comparison)
{
    std::vector<Report> asked;
    for (const Answer& answer : comparison.answers) {
        const auto& [topology, problem, machine] = answer.question;
        asked.push_back(asked_report({.topology = topology, .ports = machine.ports, .problem = problem}));
    }
    Json common;
    for (const ReportEntry& entry : report_entries()) {
        const Json value = value_of(entry, asked.front());
        const auto differs = [&](const Report& report) { return value_of(entry, report) != value; };
        if (stands_in(entry, RecordKind::trace) && entry.key != "bytes" && std::ranges::none_of(asked, differs))
            common[std::string(entry.key)] = value;
    }
    return common;
}

}  // namespace

std::span<const Field<Comparison>> comparison_fields()
{
    return of_comparisons;
}

std::string comparison_record(const Comparison& comparison, Format format)
{
    if (format == Format::csv)
        return csv_of(rows_of(comparison));
    Json record = common_keys(comparison);
    record.update(record_of(of_comparisons, comparison));
    return in_format(record, format);
}

std::string report_record(const Report& report, Format format)
{
    return in_format(record_of(report), format);
}

std::string reports_record(std::span<const Report> reports, Format format)
{
    Json records = Json::array();
    for (const Report& report : reports)
        records.push_back(record_of(report));
    return in_format(records, format);
}

std::string forecast_record(const Forecast& forecast, Format format)
{
    return in_format(record_of(forecast), format);
}

std::string forecasts_record(std::span<const Forecast> forecasts, Format format)
{
    Json records = Json::array();
    for (const Forecast& forecast : forecasts)
        records.push_back(record_of(forecast));
    return in_format(records, format);
}

std::string failure_record(const Report& asked, const Error& error)
{
    Json record = record_of(asked, RecordKind::trace);
    record["verified"] = false;
    record["error"] = error.what();
    const auto* const violation = dynamic_cast<const RuleViolation*>(&error);
    const auto* const thrown = dynamic_cast<const ProgramError*>(&error);
    record["rule"] = violation ? Json(name(violation->rule)) : Json();
    record["step"] = violation ? Json(violation->step) : thrown ? Json(thrown->step) : Json();
    record["node"] = violation ? Json(violation->node) : thrown ? Json(thrown->node) : Json();
    record["port"] = violation && violation->port != RuleViolation::no_port ? Json(violation->port) : Json();
    return in_format(record, Format::json);
}

}  // namespace dcube::cli
