#pragma once
// The judge's verdict on a trace as a record, and the trace's comparison with dcube's best algorithm.

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

/// The cost of dcube's best algorithm for the same problem.
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

/// An object with "accepted": true, the counts, their ratio to the bound and to dcube's own best algorithm.
Json verdict_record(const TraceQuestion& question, const Verdict& verdict);
/// The trace's question, if it is known, "accepted": false, the line and the reason.
Json rejection_record(const std::optional<TraceQuestion>& question, const TraceError& error);

}  // namespace dcube
