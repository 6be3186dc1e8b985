#pragma once
// Small traces and what the judge says of them.

#include "tests/judge/small_traces.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/shares_replay.hpp"

#include <dcube/judge.hpp>

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>

namespace small_traces {

/// The verdict, on the fewest ports that the link model allows if no other are given.
inline dcube::Verdict judged(const Trace& trace, const Problem& problem, unsigned d,
                             std::optional<dcube::PortModel> ports = {})
{
    const auto fewest = problem.link.bound() ? dcube::PortModel::all : dcube::PortModel::one;
    std::istringstream in(text(trace));
    return dcube::judge_trace(in, dcube::Topology::hypercube(d), ports.value_or(fewest), problem);
}

/// Why the trace is rejected, or its problem; empty if neither is.
inline std::string complaint(const Trace& trace, const Problem& problem, unsigned d)
{
    return test_support::error_of([&] { judged(trace, problem, d); });
}

/// The line that a trace is rejected for; `accepted` if it is not.
inline constexpr std::uint64_t accepted = ~std::uint64_t{0};

inline std::uint64_t rejected_line(const Trace& trace, const Problem& problem, unsigned d,
                                   std::optional<dcube::PortModel> ports = {})
{
    try {
        judged(trace, problem, d, ports);
    } catch (const dcube::TraceError& error) {
        const std::string what = error.what();
        CHECK_FALSE(test_support::contains(what, "\n"));
        CHECK((error.line == 0 || test_support::contains(what, "line " + std::to_string(error.line) + ": ")));
        return error.line;
    }
    return accepted;
}

/// A reduction that lists the contributors of its sums, which are all that their senders have.
inline Trace telling(Trace trace)
{
    test_support::SharesReplay shares;
    for (Record& record : trace)
        for (dcube::Piece& piece : record.pieces)
            piece.sum_of = test_support::nodes_of(shares.carry(record.step, record.from, record.to, piece).front());
    return trace;
}

/// Calls `work` with every collective whose packets have pieces, dimensions 1 to 3, and a correct trace of it; the root
/// is not node 0. Also with sums whose contributors are listed.
template <class Work>
void for_all_small(const Work& work)
{
    for (const Collective collective : dcube::all_collectives) {
        if (dcube::is_barrier(collective))
            continue;  // barrier_test.cpp
        for (unsigned d = 1; d <= 3; ++d) {
            Problem problem = example(collective, d);
            if (dcube::is_reduction(collective))
                problem.type = dcube::ElementType::int32;
            CAPTURE(name(collective), d, problem.root);
            work(problem, d, make(problem, d));
            if (dcube::is_reduction(collective))
                work(problem, d, telling(make(problem, d)));
        }
    }
}

}  // namespace small_traces
