#include "collectives/bounds/argument.hpp"

#include "collectives/of_members.hpp"

#include <algorithm>
#include <limits>

namespace dcube {

namespace {

/// The least T for which the sum of max(0, T - wait) over all links is no less than the packets. With the first k links
/// alone it is ceil((packets + their waits) / k); links that are too late for T only make that larger.
std::uint64_t steps_with_waits(const detail::Integer& packets, const std::vector<std::uint64_t>& waits)
{
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    detail::Integer together = packets;
    for (std::size_t k = 0; k < waits.size(); ++k) {
        together += waits[k];
        least = std::min(least, detail::ceiling(detail::Exact(together) / (k + 1)).convert_to<std::uint64_t>());
    }
    return least;
}

}  // namespace

std::uint64_t Argument::value() const
{
    if (kind == Kind::nothing)
        return 0;
    if (kind == Kind::unrolled)
        return far;
    if (!waits.empty())
        return steps_with_waits(packets(), waits);
    return detail::ceiling(ratio()).convert_to<std::uint64_t>() + far - 1;
}

Problem numbered(const Problem& problem, const Topology& topology)
{
    if (is_point_to_point(problem.collective))
        validate(problem, topology);
    return detail::of_members(problem, topology);
}

Argument named(Argument argument, const Topology& topology)
{
    argument.node = topology.member(argument.node);
    argument.other = topology.member(argument.other);
    for (NodeId& node : argument.junction)
        node = topology.member(node);
    if (!argument.cut.inside.empty()) {
        std::vector<bool> inside(topology.nodes());
        for (NodeId number = 0; number < topology.members(); ++number)
            inside[topology.member(number)] = argument.cut.inside[number];
        argument.cut.inside = std::move(inside);
    }
    return argument;
}

std::vector<Argument> named(std::vector<Argument> arguments, const Topology& topology)
{
    for (Argument& argument : arguments)
        argument = named(std::move(argument), topology);
    return arguments;
}

}  // namespace dcube
