#pragma once
// The judge's verdict on a trace, and its comparison with dcube's best algorithm, for people and for programs.

#include "cli/requests.hpp"
#include "cli/text/colour.hpp"
#include "run/verdict.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/judge.hpp>
#include <dcube/report.hpp>

#include <string>
#include <string_view>

namespace dcube::cli {

struct JudgedTrace {
    std::string file;
    TraceQuestion question;
    Verdict verdict;
};

/// Rows::all gives the reasons for the lower bounds, too.
std::string verdict_text(const JudgedTrace& trace, Rows rows, Colour colour);

/// "best known  optimal: 4 steps (this trace takes 1.25 times that)", as a row; empty where dcube has none.
/// `what` was compared.
std::string best_row(const Report& report, std::string_view what);

}  // namespace dcube::cli
