#include "judge/link_times.hpp"

#include <dcube/judge.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace dcube {

namespace {

__extension__ using Wide = unsigned __int128;  // of products of two 64-bit numbers

constexpr Time most = std::numeric_limits<Time>::max();

/// `value` in ticks, which it must be a whole number of.
Wide in_ticks(const Rational& value, std::uint64_t ticks_per_ns)
{
    return Wide{static_cast<std::uint64_t>(value.numerator)} * ticks_per_ns /
           static_cast<std::uint64_t>(value.denominator);
}

Time parameter(std::string_view what, const Rational& value, std::uint64_t ticks_per_ns)
{
    const Wide ticks = in_ticks(value, ticks_per_ns);
    if (ticks > most)
        throw InvalidArgument(
            fmt::format("{} {} in ticks of 1/{} ns does not fit in 64 bits", what, to_string(value), ticks_per_ns));
    return static_cast<Time>(ticks);
}

}  // namespace

LinkTimes::LinkTimes(const LinkModel& link, const Topology& topology)
    : topology_(topology), link_(link), ticks_per_ns_(link.ticks_per_ns()),
      tau_(parameter("tau", link.tau, ticks_per_ns_)), beta_(parameter("beta", link.beta, ticks_per_ns_)),
      free_(topology.directed_links())
{
}

void LinkTimes::require_kept(Record& record)
{
    record.start = ticks(record, "start_ns", record.start_ns);
    record.end = ticks(record, "end_ns", record.end_ns);
    require_duration(record);
    if (link_.clock == LinkClock::lockstep)
        require_lockstep(record);
    require_free_link(record);
    last_ = std::max(last_, *record.end_ns);
}

void LinkTimes::require_free_link(const Record& record)
{
    Time& link = free_[topology_.link(record.from, record.port)];
    if (record.start < link)
        throw TraceError(record.line,
                         fmt::format("a packet starts at {} ns on the link from node {} over port {}, which is held "
                                     "by the one before until a later time",
                                     to_string(*record.start_ns), record.from, record.port));
    link = record.end;
}

// A step begins when all packets of the steps before have arrived, and all its packets start then.
void LinkTimes::require_lockstep(const Record& record)
{
    if (record.step != step_) {
        step_ = record.step;
        began_ = ends_;
    }
    if (record.start != began_)
        throw TraceError(record.line,
                         fmt::format("a packet of step {} starts at {} ns: under the lockstep clock that step begins "
                                     "at {}, when all packets before have arrived",
                                     record.step, to_string(*record.start_ns), to_string(in_ns(began_))));
    ends_ = std::max(ends_, record.end);
}

Rational LinkTimes::in_ns(Time ticks) const
{
    const std::uint64_t divisor = std::gcd(ticks, ticks_per_ns_);
    return {static_cast<std::int64_t>(ticks / divisor), static_cast<std::int64_t>(ticks_per_ns_ / divisor)};
}

Time LinkTimes::ticks(const Record& record, std::string_view key, const std::optional<Rational>& time) const
{
    if (!time)
        throw TraceError(record.line, fmt::format("there is no \"{}\", which the link-bound model needs", key));
    if (ticks_per_ns_ % static_cast<std::uint64_t>(time->denominator) != 0)  // it is in lowest terms
        throw TraceError(record.line, fmt::format("\"{}\" is {}: a whole number of ticks of 1/{} ns is allowed", key,
                                                  to_string(*time), ticks_per_ns_));
    const Wide value = in_ticks(*time, ticks_per_ns_);
    if (value > most)
        throw TraceError(record.line, fmt::format("\"{}\" is {}: in ticks of 1/{} ns that does not fit in 64 bits", key,
                                                  to_string(*time), ticks_per_ns_));
    return static_cast<Time>(value);
}

void LinkTimes::require_duration(const Record& record) const
{
    const Wide needed = Wide{tau_} * record.bytes + beta_;
    if (record.end >= record.start && record.end - record.start == needed)
        return;
    throw TraceError(record.line,
                     fmt::format("a packet of {} bytes goes from {} to {} ns: {} ns a byte and {} ns a packet are "
                                 "needed, neither less nor more",
                                 record.bytes, to_string(*record.start_ns), to_string(*record.end_ns),
                                 to_string(link_.tau), to_string(link_.beta)));
}

}  // namespace dcube
