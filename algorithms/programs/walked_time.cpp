#include "algorithms/programs/walked_time.hpp"

#include "algorithms/programs/cut.hpp"
#include "base/exact.hpp"

#include <algorithm>

namespace dcube::detail {

namespace {

Time ticks(const Rational& ns, std::uint64_t ticks_per_ns)
{
    return static_cast<Time>(to_rational(exact(ns) * ticks_per_ns).numerator);
}

}  // namespace

LinkModel packet_clock(LinkClock clock)
{
    return {LinkKind::link_bound, {0, 1}, {1, 1}, clock};
}

WalkedLinks::WalkedLinks(const LinkModel& link, std::size_t links)
    : tau_(ticks(link.tau, link.ticks_per_ns())), beta_(ticks(link.beta, link.ticks_per_ns())),
      ticks_per_ns_(link.ticks_per_ns()), lockstep_(link.clock == LinkClock::lockstep), free_from_(links)
{
}

Time WalkedLinks::depart(std::size_t link, std::size_t bytes, Time usable)
{
    const Time start = lockstep_ ? now_ : std::max(usable, free_from_[link]);
    Time end = 0;
    if (__builtin_mul_overflow(tau_, bytes, &end) || __builtin_add_overflow(end, beta_, &end) ||
        __builtin_add_overflow(end, start, &end))
        throw_time_overflow();
    free_from_[link] = end;
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
    any.link = packet_clock(problem.link.clock);
    WalkKey key = walk_key(topology, any);
    key.element = 1;
    return key;
}

}  // namespace dcube::detail
