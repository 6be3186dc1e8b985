#include "emu/link_times.hpp"

#include "base/names.hpp"
#include "emu/atomic_word.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

namespace dcube::detail {

LinkTimes::LinkTimes(const LinkModel& link)
    : bound_(link.bound()), lockstep_(link.clock == LinkClock::lockstep), duplex_(link.duplex),
      ticks_per_ns_(bound_ ? link.ticks_per_ns() : 1)
{
    if (!bound_)
        return;
    pace_.tau = about("tau_ns_per_byte", [&] { return ticks(link.tau); });
    pace_.beta = about("beta_ns", [&] { return ticks(link.beta); });
}

Time LinkTimes::ticks(const Rational& ns) const
{
    std::int64_t count = 0;
    if (__builtin_mul_overflow(ns.numerator, static_cast<std::int64_t>(ticks_per_ns_) / ns.denominator, &count))
        throw InvalidArgument("", to_string(ns),
                              fmt::format("is too large: at most 2^63-1 ticks of 1/{} ns are allowed", ticks_per_ns_));
    return static_cast<Time>(count);
}

void LinkTimes::make_tables(const Topology& topology, std::uint64_t links, std::uint64_t places)
{
    if (!bound_)
        return;
    if (!topology.fabric().links.empty())
        paces_.assign(allocatable(links), pace_);
    if (duplex_ != Duplex::per_link)
        ports_free_from_.assign(std::size_t{2} * topology.nodes(), Time{0});
    free_from_memory_ = Memory(links * sizeof(Time));
    free_from_ = reinterpret_cast<Time*>(free_from_memory_.bytes().data());
    arrivals_memory_ = Memory(places * sizeof(Time));
    arrivals_ = reinterpret_cast<Time*>(arrivals_memory_.bytes().data());
    bells_memory_ = Memory(links * sizeof(Bell));
    bells_ = reinterpret_cast<Bell*>(bells_memory_.bytes().data());
}

// A second packet in a step breaks a rule, which ends the run with the step. Until then two threads may come here for
// one port, so its time is atomic.
Time LinkTimes::ports_free_from(PacketEnds ends)
{
    if (ports_free_from_.empty())
        return 0;
    const auto free_from = [&](std::size_t port) {
        return AtomicWord(ports_free_from_[port]).load(std::memory_order_relaxed);
    };
    return std::max(free_from(sending(ends.from)), ends.to ? free_from(receiving(*ends.to)) : 0);
}

void LinkTimes::hold_ports(PacketEnds ends, Time end)
{
    if (ports_free_from_.empty())
        return;
    AtomicWord(ports_free_from_[sending(ends.from)]).store(end, std::memory_order_relaxed);
    if (ends.to)
        AtomicWord(ports_free_from_[receiving(*ends.to)]).store(end, std::memory_order_relaxed);
}

std::optional<Transit> LinkTimes::depart(std::uint64_t link, std::uint64_t place, std::size_t bytes, Time usable,
                                         PacketEnds ends)
{
    const Time start = lockstep_ ? now_ : std::max({usable, free_from_[link], ports_free_from(ends)});
    Time duration = 0;
    Time end = 0;
    const Pace& pace = paces_.empty() ? pace_ : paces_[as_size(link)];
    if (__builtin_mul_overflow(pace.tau, bytes, &duration) || __builtin_add_overflow(duration, pace.beta, &duration) ||
        __builtin_add_overflow(start, duration, &end))
        return std::nullopt;
    free_from_[link] = arrivals_[place] = end;
    hold_ports(ends, end);
    if (bells_[link].load(std::memory_order_relaxed))
        bells_[link].store(false, std::memory_order_relaxed);
    return Transit{start, end};
}

}  // namespace dcube::detail
