#pragma once
/// Traces as files: lines of JSON, as judge_trace(), `dcube verify`, `replay` and `view --trace` read them, and as
/// find_algorithm() takes them for algorithms ("@FILE").

#include <dcube/judge.hpp>
#include <dcube/trace.hpp>

#include <ostream>

namespace dcube {

/// A sink that writes a trace to `out`, which must outlive it. The first line, which says what the trace is of, is
/// written at once.
///
///     std::ofstream file("mine.jsonl");
///     run_verified(machine, mine, problem, {}, {.trace = write_trace(file, {topology, PortModel::all, problem})});
///
/// Both throw Error if `out` takes no more.
TraceSink write_trace(std::ostream& out, const TraceQuestion& of);

}  // namespace dcube
