#include "judge/link_rules.hpp"

#include "base/sizes.hpp"

#include <dcube/judge.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace dcube {

std::uint64_t largest_packet(const Problem& problem)
{
    return problem.link.bound() || is_matrix(problem.collective) ? ~std::uint64_t{0} : packet_size(problem);
}

std::string out_of_order(Step step, Step before)
{
    return fmt::format("packets are not sorted by step: step {} stands after step {}", step, before);
}

LinkRules::LinkRules(const Topology& topology, PortModel ports, const Problem& problem)
    : topology_(topology), ports_(ports), half_duplex_(problem.link.duplex == Duplex::half),
      packet_(largest_packet(problem)), signals_(is_barrier(problem.collective)),
      link_used_(allocatable(topology.directed_links())), sent_(ports == PortModel::one ? topology.nodes() : 0),
      received_(sent_.size())
{
}

void LinkRules::require_kept(const Record& record)
{
    require_order(record);
    require_link(record);
    require_size(record);
    require_free(record);
}

void LinkRules::require_order(const Record& record)
{
    if (record.step == 0)
        throw TraceError(record.line, "step 0: steps begin at 1");
    if (record.step < step_)
        throw TraceError(record.line, out_of_order(record.step, step_));
    step_ = record.step;
}

void LinkRules::require_link(const Record& record) const
{
    require_node(record, "from", record.from);
    require_node(record, "to", record.to);
    if (record.port >= topology_.ports(record.from))
        throw TraceError(record.line, fmt::format("node {} has no port {}: it has {} ports, counted from 0",
                                                  record.from, record.port, topology_.ports(record.from)));
    if (const NodeId neighbour = topology_.neighbour(record.from, record.port); record.to != neighbour)
        throw TraceError(record.line, fmt::format("port {} of node {} leads to node {}, not to node {}", record.port,
                                                  record.from, neighbour, record.to));
}

void LinkRules::require_node(const Record& record, std::string_view what, NodeId node) const
{
    if (node >= topology_.nodes())
        throw TraceError(record.line, fmt::format("\"{}\" is {}: a node from 0 to {} is allowed", what, node,
                                                  topology_.nodes() - 1));
}

/// A step is the time of one packet; a trace that sent more at once would beat the lower bounds. Those of a barrier
/// have no pieces, so no bytes either.
void LinkRules::require_size(const Record& record) const
{
    std::uint64_t left = record.bytes;
    for (const Piece& piece : record.pieces) {
        if (piece.length > left)
            throw TraceError(record.line, fmt::format("\"bytes\" is {}, but the pieces have more", record.bytes));
        left -= piece.length;
    }
    if (left != 0)
        throw TraceError(record.line, fmt::format("\"bytes\" is {}, but the pieces have {} fewer", record.bytes, left));
    if (record.bytes == 0 && !signals_)
        throw TraceError(record.line, "the transmission carries nothing");
    if (record.bytes > packet_)
        throw TraceError(record.line, fmt::format("{} bytes at once: a packet has at most {}", record.bytes, packet_));
}

void LinkRules::require_free(const Record& record)
{
    Step& link = link_used_[as_size(topology_.link(record.from, record.port))];
    if (link == record.step)
        throw TraceError(record.line, fmt::format("a second packet from node {} over port {} in step {}", record.from,
                                                  record.port, record.step));
    link = record.step;
    if (ports_ == PortModel::all)
        return;
    if (sent_[record.from] == record.step)
        throw TraceError(record.line, fmt::format("node {}, which has one port, sends a second packet in step {}",
                                                  record.from, record.step));
    sent_[record.from] = record.step;
    if (half_duplex_)
        require_one_of_both(record);
    if (record.lost)
        return;
    if (received_[record.to] == record.step)
        throw TraceError(record.line, fmt::format("node {}, which has one port, receives a second packet in step {}",
                                                  record.to, record.step));
    received_[record.to] = record.step;
}

void LinkRules::require_one_of_both(const Record& record) const
{
    const auto refuse = [&](NodeId node) {
        throw TraceError(record.line, fmt::format("node {} sends and receives in step {}: on half duplex a node does "
                                                  "one of both in a step",
                                                  node, record.step));
    };
    if (received_[record.from] == record.step)
        refuse(record.from);
    if (!record.lost && sent_[record.to] == record.step)
        refuse(record.to);
}

namespace {

__extension__ using Wide = unsigned __int128;  // for products of two 64-bit numbers

constexpr Time longest = std::numeric_limits<Time>::max();

/// `value` in ticks, which it must be a whole number of.
Wide in_ticks(const Rational& value, std::uint64_t ticks_per_ns)
{
    return Wide{static_cast<std::uint64_t>(value.numerator)} * ticks_per_ns /
           static_cast<std::uint64_t>(value.denominator);
}

Time parameter(std::string_view what, const Rational& value, std::uint64_t ticks_per_ns)
{
    const Wide ticks = in_ticks(value, ticks_per_ns);
    if (ticks > longest)
        throw InvalidArgument(
            fmt::format("{} {} in ticks of 1/{} ns does not fit in 64 bits", what, to_string(value), ticks_per_ns));
    return static_cast<Time>(ticks);
}

}  // namespace

LinkTimes::LinkTimes(const LinkModel& link, const Topology& topology)
    : topology_(topology), link_(topology.links(link)), ticks_per_ns_(link_.ticks_per_ns()),
      tau_(parameter("tau", link.tau, ticks_per_ns_)), beta_(parameter("beta", link.beta, ticks_per_ns_)),
      free_(allocatable(topology.directed_links())), sending_(link.one_port() ? topology.nodes() : 0),
      receiving_(link.duplex == Duplex::full ? sending_.size() : 0)
{
    for (const TimedLink& own : topology.fabric().links) {
        static_cast<void>(parameter("tau", own.tau, ticks_per_ns_));
        static_cast<void>(parameter("beta", own.beta, ticks_per_ns_));
    }
}

void LinkTimes::set_ticks(Record& record) const
{
    record.start = ticks(record, "start_ns", record.start_ns);
    record.end = ticks(record, "end_ns", record.end_ns);
}

void LinkTimes::require_kept(const Record& record)
{
    require_duration(record);
    if (link_.clock == LinkClock::lockstep)
        require_lockstep(record);
    require_free_link(record);
    if (link_.one_port())
        require_free_ports(record);
    last_ = std::max(last_, *record.end_ns);
}

void LinkTimes::require_free_link(const Record& record)
{
    Time& link = free_[as_size(topology_.link(record.from, record.port))];
    if (record.start < link)
        throw TraceError(record.line,
                         fmt::format("a packet starts at {} ns on the link from node {} over port {}, which is held "
                                     "by the one before until a later time",
                                     to_string(*record.start_ns), record.from, record.port));
    link = record.end;
}

void LinkTimes::require_free_ports(const Record& record)
{
    const auto hold = [&](std::vector<Time>& ports, NodeId node) {
        Time& until = ports[node];
        if (record.start < until)
            throw TraceError(record.line,
                             fmt::format("a packet from node {} to node {} starts at {} ns: the one port of node {} is "
                                         "held by another one until {} ns",
                                         record.from, record.to, to_string(*record.start_ns), node,
                                         to_string(in_ns(until))));
        until = record.end;
    };
    hold(sending_, record.from);
    if (!record.lost)
        hold(link_.duplex == Duplex::half ? sending_ : receiving_, record.to);
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
        throw TraceError(record.line, fmt::format("\"{}\" is missing: the link-bound model needs it", key));
    if (ticks_per_ns_ % static_cast<std::uint64_t>(time->denominator) != 0)  // it is in lowest terms
        throw TraceError(record.line, fmt::format("\"{}\" is {}: a whole number of ticks of 1/{} ns is allowed", key,
                                                  to_string(*time), ticks_per_ns_));
    const Wide value = in_ticks(*time, ticks_per_ns_);
    if (value > longest)
        throw TraceError(record.line, fmt::format("\"{}\" is {}: in ticks of 1/{} ns that does not fit in 64 bits", key,
                                                  to_string(*time), ticks_per_ns_));
    return static_cast<Time>(value);
}

void LinkTimes::require_duration(const Record& record) const
{
    const TimedLink* const own = topology_.timed_link(record.from, record.port);
    const Wide tau = own ? in_ticks(own->tau, ticks_per_ns_) : Wide{tau_};
    const Wide beta = own ? in_ticks(own->beta, ticks_per_ns_) : Wide{beta_};
    const Wide needed = tau * record.bytes + beta;
    if (record.end >= record.start && record.end - record.start == needed)
        return;
    throw TraceError(record.line,
                     fmt::format("a packet of {} bytes goes from {} to {} ns: {} ns per byte and {} ns per packet are "
                                 "needed, neither less nor more",
                                 record.bytes, to_string(*record.start_ns), to_string(*record.end_ns),
                                 to_string(own ? own->tau : link_.tau), to_string(own ? own->beta : link_.beta)));
}

}  // namespace dcube
