#pragma once
// Measuring the limits of this machine, for the commands that do.

#include "cli/files/interrupt.hpp"
#include "inspect/measure/measured_limits.hpp"

#include <string>

namespace dcube::cli {

/// Measures all of the plan, with a line of progress. Throws Interrupted.
measure::Limits limits_with_progress(measure::LimitsPlan plan, const measure::Host& host, const Interrupt& interrupt);

/// The document of limits as files have it.
std::string limits_json(const measure::Limits& limits, const measure::Host& host);

/// Keeps the limits where runs and benchmarks find them again. It is no error if that fails: the result, "kept in ..."
/// or "not kept: ...", says why.
std::string keep_limits(const measure::Limits& measured, const measure::Host& host);

}  // namespace dcube::cli
