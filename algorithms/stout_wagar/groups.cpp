#include "algorithms/stout_wagar/groups.hpp"

#include "algorithms/programs/cut.hpp"
#include "base/arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace dcube::detail {

GroupedMessage::GroupedMessage(const Topology& topology, const Problem& problem)
    : d(topology.dimension()), units(message_bytes(problem)), unit(1)
{
    if (is_reduction(problem.collective)) {
        unit = element_size(problem);
        units /= unit;
    }
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

std::string too_many_groups(const Topology& topology, const Problem& problem)
{
    const GroupedMessage message(topology, problem);
    const std::size_t most = most_groups(message.units, message.d);
    const auto [groups, detour_groups] = std::pair(problem.tuning.groups, problem.tuning.extended_groups);
    if (std::max(groups, detour_groups) <= most)
        return {};
    return fmt::format("it can cut this message of {} bytes in at most {} groups, and {} says {}",
                       message.units * message.unit, most, groups > most ? "--groups" : "--detour-groups",
                       groups > most ? groups : detour_groups);
}

}  // namespace dcube::detail
