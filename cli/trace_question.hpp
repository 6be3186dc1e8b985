#pragma once
// What a trace is of, where both its header and options may say it.

#include "cli/problem_options.hpp"
#include "cli/shared_options.hpp"

#include <dcube/judge.hpp>

namespace CLI {
class App;
}

namespace dcube::cli {

/// Throws InvalidArgument if an option that was given says something else than the header, or nothing
/// of its collective. What the header says need not be said again.
/// In a question whose links the options have chosen, those agree.
void require_agreement(const CLI::App& app, const NetworkOptions& network, const ProblemOptions& problem,
                       const TraceQuestion& header);

/// Whether an option says something of the links.
bool says_links(const CLI::App& app);

}  // namespace dcube::cli
