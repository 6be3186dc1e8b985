#include "inspect/measure/rates.hpp"

#include <dcube/collective.hpp>

#include <algorithm>

namespace dcube::measure {

namespace {

// How many times as long the base takes.
std::optional<Interval> times_of_base(const Timed& one, const Timed& base)
{
    if (!one.interval || !base.interval)
        return std::nullopt;
    const std::optional<Interval> together =
        share_rounds(base.rounds, one.rounds) ? interval_of_ratio_together(base.rounds, one.rounds) : std::nullopt;
    return together ? together : ratio(*base.interval, *one.interval);
}

std::optional<Scaling> against(const Timed& one, const Timed& base)
{
    if (&one == &base)
        return Scaling{1, 1, Interval{1, 1}, Interval{1, 1}};
    const double more_work = one.work / base.work;
    const double threads = static_cast<double>(one.used) / base.used;
    Scaling scaled;
    scaled.speed_up = more_work * base.seconds / one.seconds;
    scaled.efficiency = scaled.speed_up / threads;
    if (const std::optional<Interval> times = times_of_base(one, base)) {
        scaled.speed_up_interval = Interval{std::min(scaled.speed_up, more_work * times->low),
                                            std::max(scaled.speed_up, more_work * times->high)};
        scaled.efficiency_interval =
            Interval{scaled.speed_up_interval->low / threads, scaled.speed_up_interval->high / threads};
    }
    return scaled;
}

}  // namespace

std::optional<Traffic> traffic_of(const Problem& problem, const Topology& topology)
{
    if (!problem.counts.empty())
        return std::nullopt;  // no node stands for all
    const std::uint64_t message = std::uint64_t{problem.bytes} * problem.packets;
    const std::uint64_t n = topology.members();
    const double others = static_cast<double>(n - 1) / static_cast<double>(n);
    switch (pattern_of(problem.collective)) {
    case Pattern::one_to_all:
    case Pattern::prefix_sums:
    case Pattern::pairs: return Traffic{message, 1};
    case Pattern::sums_to_all: return Traffic{message, 2 * others};
    case Pattern::one_to_each:
    case Pattern::each_to_all:
    case Pattern::each_to_each: return Traffic{message * n, others};
    case Pattern::signals:
    case Pattern::elements: return std::nullopt;
    }
    return std::nullopt;
}

std::vector<std::optional<Scaling>> scaling(std::span<const Timed> timed)
{
    std::vector<std::optional<Scaling>> all;
    for (const Timed& one : timed) {
        const Timed* base = &one;
        bool alone = true;
        for (const Timed& other : timed)
            if (other.family == one.family) {
                alone = alone && &other == &one;
                base = other.threads < base->threads ? &other : base;
            }
        all.push_back(alone && one.threads > 1 ? std::nullopt : against(one, *base));
    }
    return all;
}

}  // namespace dcube::measure
