#pragma once
// What the judge says of a trace, as a record, and how the trace compares with dcube's own best algorithm.

#include "run/field.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/judge.hpp>
#include <dcube/report.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace dcube {

/// The counts of an accepted trace beside the bounds.
Report report_of(const TraceQuestion& question, const Verdict& verdict);

/// What dcube's own best algorithm takes for the same.
struct BestKnown {
    std::string_view name{};  ///< empty: dcube has none
    std::optional<std::uint64_t> steps{};
    std::optional<PredictedTime> time{};  ///< link-bound
    std::optional<double> ratio{};        ///< of the given schedule's steps or time to that
};
BestKnown best_known(const Report& report);

/// The keys of the best known algorithm, and those that a verdict has beside them and a report's: of an accepted trace
/// (no error) the first outcome only.
std::span<const Field<BestKnown>> best_known_fields();
std::span<const Field<Verdict>> verdict_fields();
std::span<const Field<const TraceError*>> outcome_fields();

/// One object, with "accepted": true, the counts, their ratio to the bound and to dcube's own best algorithm.
Json verdict_record(const TraceQuestion& question, const Verdict& verdict);
/// What the trace was to be, where that is known, "accepted": false, the line and the reason.
Json rejection_record(const std::optional<TraceQuestion>& question, const TraceError& error);

}  // namespace dcube
