#include "emu/link_times.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

namespace dcube::detail {

LinkTimes::LinkTimes(const LinkModel& link) : bound_(link.bound()), lockstep_(link.clock == LinkClock::lockstep)
{
    if (!bound_)
        return;
    const auto ticks = [scale = static_cast<std::int64_t>(link.ticks_per_ns())](std::string_view key,
                                                                                const Rational& ns) {
        std::int64_t count = 0;
        if (__builtin_mul_overflow(ns.numerator, scale / ns.denominator, &count))
            throw InvalidArgument(key, to_string(ns),
                                  fmt::format("is too large: at most 2^63-1 ticks of 1/{} ns are allowed", scale));
        return static_cast<Time>(count);
    };
    tau_ = ticks("tau_ns_per_byte", link.tau);
    beta_ = ticks("beta_ns", link.beta);
}

void LinkTimes::make_tables(std::uint64_t links, std::uint64_t places)
{
    if (!bound_)
        return;
    free_from_memory_ = Memory(links * sizeof(Time));
    free_from_ = reinterpret_cast<Time*>(free_from_memory_.bytes().data());
    arrivals_memory_ = Memory(places * sizeof(Time));
    arrivals_ = reinterpret_cast<Time*>(arrivals_memory_.bytes().data());
    bells_memory_ = Memory(links * sizeof(Bell));
    bells_ = reinterpret_cast<Bell*>(bells_memory_.bytes().data());
}

std::optional<Transit> LinkTimes::depart(std::uint64_t link, std::uint64_t place, std::size_t bytes, Time usable)
{
    const Time start = lockstep_ ? now_ : std::max(usable, free_from_[link]);
    Time duration = 0;
    Time end = 0;
    if (__builtin_mul_overflow(tau_, bytes, &duration) || __builtin_add_overflow(duration, beta_, &duration) ||
        __builtin_add_overflow(start, duration, &end))
        return std::nullopt;
    free_from_[link] = arrivals_[place] = end;
    if (bells_[link].load(std::memory_order_relaxed))
        bells_[link].store(false, std::memory_order_relaxed);
    return Transit{start, end};
}

}  // namespace dcube::detail
