#pragma once
// What a trace is of, where both its header and options may say it.

#include "cli/problem_options.hpp"

#include <dcube/judge.hpp>

namespace CLI {
class App;
}

namespace dcube::cli {

/// Throws InvalidArgument if an option of `dcube verify` that was given says something else than the header, or nothing
/// of its collective. What the header says need not be said again.
void require_agreement(const CLI::App& app, const ProblemOptions& options, const TraceQuestion& header);

}  // namespace dcube::cli
