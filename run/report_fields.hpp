#pragma once
// The one list of what a report says: every record, table and document is made from it.

#include "collectives/problem_fields.hpp"
#include "run/field.hpp"

#include <dcube/judge.hpp>
#include <dcube/report.hpp>
#include <dcube/run.hpp>

#include <cstdint>
#include <span>

namespace dcube {

/// A key of reports, noted with the kinds of records that have it (ReportField::records), whether it is a detail and
/// whether it needs a collective. Its value is null where it does not apply; it has no function where it is a field of
/// the problem.
using ReportEntry = Field<Report, std::uint8_t>;

std::span<const ReportEntry> report_entries();
/// The one with this key, which there is.
const ReportEntry& report_entry(std::string_view key);
bool stands_in(const ReportEntry& entry, RecordKind kind);
/// Of no interest at a first look: threads, ranks, memory and rates of the host, and how the run was set up.
bool is_detail(const ReportEntry& entry);
/// Has no meaning without a collective: its name, its operation, its bounds.
bool needs_collective(const ReportEntry& entry);
Json value_of(const ReportEntry& entry, const Report& report);

/// The keys that precede those in the first line of a trace.
std::span<const Field<Report>> trace_fields();

Json to_json(const FieldValue& value);

/// The record that to_json(report) writes.
Json record_of(const Report& report, RecordKind kind = RecordKind::report);

/// Quantities of a forecast that a report lacks or has otherwise.
std::span<const Field<Forecast>> forecast_fields();
/// All of a forecast, as a dry run prints it.
Json record_of(const Forecast& forecast);

/// A report of which only what was asked is known, without bounds.
Report asked_report(const TraceQuestion& question);

/// The first entry in which the two differ, with the value of the first: "bytes": 64. Empty if there is none.
std::string difference(const TraceQuestion& header, const TraceQuestion& said);

}  // namespace dcube
