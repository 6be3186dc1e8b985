#pragma once
// Small traces with times, for the judge under the link-bound model.

#include "tests/judge/small_traces.hpp"

#include <cstdint>

namespace small_traces {

using dcube::Rational;

/// The problem on links of tau ns per byte and beta ns per packet.
inline Problem timed(Problem problem, Rational tau = {2, 1}, Rational beta = {3, 1})
{
    problem.link = {.kind = dcube::LinkKind::link_bound, .tau = tau, .beta = beta};
    return problem;
}

inline Rational halves(std::int64_t count)
{
    return count % 2 == 0 ? Rational{count / 2, 1} : Rational{count, 2};
}

inline Rational whole(std::int64_t value)
{
    return {value, 1};
}

inline Record at(Record record, std::int64_t start, std::int64_t end)
{
    record.start_ns = whole(start);
    record.end_ns = whole(end);
    return record;
}

/// Every step begins when the one before has ended; a packet takes tau 1/2 and beta 1/2, that is (bytes + 1) / 2.
inline Trace in_lockstep(Trace trace)
{
    for (Record& record : trace) {
        const auto packet = static_cast<std::int64_t>(record.bytes) + 1;
        record.start_ns = halves((record.step - 1) * packet);
        record.end_ns = halves(record.step * packet);
    }
    return trace;
}

/// A packet of a broadcast from node 0: 2 ns per byte and 3 ns per packet.
inline Record packet(Step step, NodeId from, Port port, std::int64_t start, std::uint64_t offset, std::uint64_t bytes)
{
    return at(line(step, from, port, bytes, 0, {}, offset), start, start + 2 * static_cast<std::int64_t>(bytes) + 3);
}

inline const Problem broadcast_of_4 = timed({.collective = Collective::broadcast, .bytes = 4});

}  // namespace small_traces
