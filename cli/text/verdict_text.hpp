#pragma once
// What the judge says of a trace, and how it compares with dcube's own best algorithm, for people and for programs.

#include "cli/text/colour.hpp"
#include "run/verdict.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/judge.hpp>
#include <dcube/report.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dcube::cli {

struct JudgedTrace {
    std::string file;
    TraceQuestion question;
    Verdict verdict;
};

std::string verdict_text(const JudgedTrace& trace, Colour colour);
/// One JSON object, with "accepted": true, the counts, their ratio to the bound and to dcube's own best algorithm.
std::string verdict_record(const JudgedTrace& trace);
/// One JSON object that says what the trace was to be, where that is known, "accepted": false, the line and the reason.
std::string rejection_record(const std::optional<TraceQuestion>& question, const TraceError& error);

/// "best known  optimal: 4 steps (this trace takes 1.25 times that)", as a row; empty where dcube has none.
/// `what` was compared.
std::string best_row(const Report& report, std::string_view what);

}  // namespace dcube::cli
