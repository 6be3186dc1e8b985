#pragma once
// What the judge says of a trace, for people and for programs.

#include "cli/text/colour.hpp"

#include <dcube/judge.hpp>

#include <optional>
#include <string>

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

}  // namespace dcube::cli
