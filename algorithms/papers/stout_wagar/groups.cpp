#include "algorithms/papers/stout_wagar/groups.hpp"

#include "algorithms/programs/cut.hpp"
#include "base/arithmetic.hpp"
#include "base/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace dcube::detail {

GroupedMessage::GroupedMessage(const Topology& topology, const Problem& problem)
    : d(topology.dimension()), units(message_bytes(problem) / unit_of(problem)), unit(unit_of(problem))
{
}

std::size_t GroupedMessage::largest_part(std::size_t p) const
{
    return ceil_div(units, p) * unit;
}

std::uint64_t GroupedMessage::packets_of_first(std::uint64_t groups, std::uint64_t some) const
{
    const std::uint64_t least = units / groups;
    const std::uint64_t longer = std::min<std::uint64_t>(some, units % groups);
    return longer * std::min<std::uint64_t>(least + 1, d) + (some - longer) * std::min<std::uint64_t>(least, d);
}

std::uint64_t GroupedMessage::packets_of_last(std::uint64_t groups) const
{
    return std::min<std::uint64_t>(units / groups, d);
}

namespace {

// A group holds a unit at least, and packets and stages are numbered in 32 bits.
std::size_t most_groups(std::size_t units, unsigned d)
{
    const std::size_t numbered = std::numeric_limits<std::uint32_t>::max() / (d + std::size_t{1}) - 1;
    return std::clamp<std::size_t>(units, 1, numbered);
}

}  // namespace

std::uint32_t chosen_groups(const GroupedMessage& message, const Problem& problem, const Exact& factor,
                            const std::function<Exact(std::size_t groups)>& time)
{
    if (problem.tuning.groups != 0)
        return static_cast<std::uint32_t>(problem.tuning.groups);
    if (message.d < 2)
        return 1;
    const LinkCosts costs(problem.link);
    const std::size_t most = most_groups(message.units / message.d, message.d);
    const Exact bytes = message.units * message.unit;
    const std::size_t near = costs.beta == 0 ? most : least_groups(factor * costs.tau * bytes / costs.beta);
    return static_cast<std::uint32_t>(best_groups(near, most, message.units, message.d, time));
}

Phases group_phases(std::uint64_t groups, std::uint64_t levels, std::uint64_t stages, const TextOf& text,
                    const PhaseText& sending, const PhaseText& ending)
{
    if (groups > most_phases / 4)
        return PhaseLine().add(groups, sending).add(stages - groups, ending).take();
    Phases phases;
    for (std::uint64_t q = 0; q < groups; ++q) {
        PhaseText words = text(q);
        phases.push_back({static_cast<Step>(q + 1), static_cast<Step>(std::min(q + levels, stages)),
                          std::move(words.name), std::move(words.sentence)});
    }
    return phases;
}

namespace {

// Groups of fewer bytes than there are links out of the middle level would leave nothing to cut.
std::size_t most_send_groups(unsigned n, std::size_t m)
{
    const auto links = (n * choose(n - 1, (n - 1) / 2)).convert_to<std::size_t>();
    return std::max<std::size_t>(1, m / links);
}

}  // namespace

std::size_t best_send_groups(unsigned n, std::size_t m, const Exact& factor, const LinkCosts& costs,
                             const std::function<Exact(std::size_t groups)>& time)
{
    const std::size_t most = most_send_groups(n, m);
    std::size_t near = 1;
    if (factor > 0 && costs.tau > 0)
        near = costs.beta == 0 ? most : least_groups(factor * costs.tau * m / costs.beta);
    return best_groups(near, most, m, n, time);
}

Cost cost_of_groups(std::size_t m, std::size_t groups, std::uint64_t stages,
                    const std::function<std::uint64_t(std::size_t bytes)>& packets)
{
    const std::uint64_t filled = std::min(m, groups);
    if (filled == 0)
        return {0, 0};
    const std::uint64_t longer = m % groups;
    const std::uint64_t shorter = filled - longer;
    const std::size_t least = m / groups;
    return {filled - 1 + stages,
            (longer == 0 ? 0 : longer * packets(least + 1)) + (shorter == 0 ? 0 : shorter * packets(least))};
}

std::string too_many_groups(const Topology& topology, const Problem& problem)
{
    const GroupedMessage message(topology, problem);
    const std::size_t most = most_groups(message.units, message.d);
    const auto [groups, detour_groups] = std::pair(problem.tuning.groups, problem.tuning.detour_groups);
    if (std::max(groups, detour_groups) <= most)
        return {};
    return fmt::format("it can cut this message of {} in at most {}, and {}{} are asked for",
                       counted(message.units * message.unit, "byte"), counted(most, "group"),
                       groups > most ? groups : detour_groups, groups > most ? "" : " on detours");
}

}  // namespace dcube::detail
