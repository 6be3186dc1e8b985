#include "algorithms/programs/walked_time.hpp"

#include "base/exact.hpp"

#include <dcube/error.hpp>

#include <algorithm>

namespace dcube::detail {

namespace {

Time ticks(const Rational& ns, std::uint64_t ticks_per_ns)
{
    return static_cast<Time>(to_rational(exact(ns) * ticks_per_ns).numerator);
}

}  // namespace

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
        throw InvalidArgument(
            "a virtual time does not fit in 64 bits: shorter messages, or a smaller tau and beta, do");
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
    const std::size_t element = is_reduction(problem.collective) ? element_size(problem)
                                : is_matrix(problem.collective)  ? size_of(problem.type)
                                                                 : 1;
    const Tuning& tuning = problem.tuning;
    return {topology,
            problem.collective,
            problem.bytes,
            problem.packets,
            problem.root,
            problem.peer,
            problem.permutation,
            problem.rows,
            problem.columns,
            problem.layout,
            problem.to,
            element,
            problem.link,
            tuning.groups,
            tuning.extended_groups,
            tuning.waves,
            tuning.halvings};
}

WalkKey packet_times_key(const Topology& topology, const Problem& problem)
{
    WalkKey key = walk_key(topology, problem);
    key.bytes = key.element = 1;
    key.link = {LinkKind::link_bound, {0, 1}, {1, 1}, problem.link.clock};
    return key;
}

}  // namespace dcube::detail
