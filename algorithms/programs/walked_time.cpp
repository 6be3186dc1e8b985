#include "algorithms/programs/walked_time.hpp"

#include "algorithms/programs/cut.hpp"
#include "base/exact.hpp"
#include "base/sizes.hpp"

#include <algorithm>

namespace dcube::detail {

LinkModel packet_clock(const LinkModel& link)
{
    return {.kind = LinkKind::link_bound, .tau = {0, 1}, .beta = {1, 1}, .clock = link.clock, .duplex = link.duplex};
}

WalkedPorts::WalkedPorts(const LinkModel& link, std::size_t nodes)
    : sending_(link.one_port() ? nodes : 0), receiving_(link.duplex == Duplex::full ? sending_.size() : 0)
{
}

Time WalkedPorts::free_from(NodeId from, NodeId to) const
{
    if (sending_.empty())
        return 0;
    return std::max(sending_[from], (receiving_.empty() ? sending_ : receiving_)[to]);
}

void WalkedPorts::hold(NodeId from, NodeId to, Time end)
{
    if (sending_.empty())
        return;
    sending_[from] = end;
    (receiving_.empty() ? sending_ : receiving_)[to] = end;
}

WalkedLinks::WalkedLinks(const LinkModel& link, std::size_t links, std::size_t nodes)
    : pace_(in_ticks(link.tau, link.beta, link.ticks_per_ns())), ticks_per_ns_(link.ticks_per_ns()),
      lockstep_(link.clock == LinkClock::lockstep), free_from_(links), ports_(link, nodes)
{
}

WalkedLinks::WalkedLinks(const LinkModel& link, const Topology& topology)
    : WalkedLinks(topology.links(link), allocatable(topology.directed_links()), topology.nodes())
{
    if (!topology.fabric().links.empty())
        paces_ = link_ticks(topology, topology.links(link));
}

Time WalkedLinks::depart(std::size_t link, std::size_t bytes, Time usable, NodeId from, NodeId to)
{
    const Time start = lockstep_ ? now_ : std::max({usable, free_from_[link], ports_.free_from(from, to)});
    const LinkTicks& pace = paces_.empty() ? pace_ : paces_[link];
    Time end = 0;
    if (__builtin_mul_overflow(pace.tau, bytes, &end) || __builtin_add_overflow(end, pace.beta, &end) ||
        __builtin_add_overflow(end, start, &end))
        throw_time_overflow();
    free_from_[link] = end;
    ports_.hold(from, to, end);
    finish_ = std::max(finish_, end);
    return end;
}

Rational WalkedLinks::finish_in_ns() const
{
    return to_rational(Exact(finish_) / ticks_per_ns_);
}

WalkKey walk_key(const Topology& topology, const Problem& problem)
{
    const std::size_t element = is_matrix(problem.collective) ? size_of(problem.type) : unit_of(problem);
    std::vector<FieldValue> fields;
    for (const ProblemField& field : problem_fields())
        if (!field.of_values)
            fields.push_back(value_of(field, problem));
    return {topology, problem.collective, std::move(fields), element, problem.in_place, problem.link};
}

WalkKey packet_times_key(const Topology& topology, const Problem& problem)
{
    Problem any = problem;
    any.bytes = 1;
    any.link = packet_clock(problem.link);
    WalkKey key = walk_key(topology, any);
    key.element = 1;
    return key;
}

}  // namespace dcube::detail
