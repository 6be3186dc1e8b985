#include "collectives/bounds/argument.hpp"

#include "collectives/graphs/hall.hpp"
#include "collectives/of_members.hpp"

#include <fmt/format.h>

namespace dcube {

std::uint64_t Argument::value() const
{
    if (kind == Kind::nothing)
        return 0;
    if (kind == Kind::unrolled)
        return far;
    if (!waits.empty())
        return detail::least_steps(packets(), waits);
    return detail::ceiling(ratio()).convert_to<std::uint64_t>() + far - 1;
}

std::string why_nothing_moves(const Topology& topology, const Problem& problem)
{
    if (moves_nothing(problem))
        return "messages of 0 bytes need not be sent";
    return topology.nodes() == 1 ? "one node has nothing to send" : "";
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

std::string of_each(const Group& groups, const std::string& reason)
{
    return groups.count() == 1 ? reason : fmt::format("in each of the {} groups: {}", groups.count(), reason);
}

Argument named(Argument argument, const Group& groups)
{
    const Topology& network = groups.network();
    const auto here = [&](NodeId rank) { return groups.node(0, rank); };
    argument.reason = of_each(groups, argument.reason);
    argument.node = here(argument.node);
    argument.other = here(argument.other);
    for (NodeId& node : argument.junction)
        node = here(node);
    NodeCut& cut = argument.cut;
    if (cut.inside.empty())
        return argument;
    std::vector<bool> inside;
    for (NodeId node = 0; node < groups.topology().nodes(); ++node) {
        const NodeId rank = groups.rank(node);
        inside.push_back(cut.inside[cut.factor ? network.digit(rank, *cut.factor) : rank]);
    }
    cut = {std::nullopt, std::move(inside)};
    return argument;
}

std::vector<Argument> named(std::vector<Argument> arguments, const Group& groups)
{
    for (Argument& argument : arguments)
        argument = named(std::move(argument), groups);
    return arguments;
}

// All copies of a factor's cut are one cut of the network.
Argument named(Argument argument, const Recognition& known)
{
    argument.node = known.here[argument.node];
    argument.other = known.here[argument.other];
    for (NodeId& node : argument.junction)
        node = known.here[node];
    NodeCut& cut = argument.cut;
    if (!cut.inside.empty()) {
        std::vector<bool> inside;
        for (const NodeId there : known.there)
            inside.push_back(cut.inside[cut.factor ? known.network.digit(there, *cut.factor) : there]);
        cut = {std::nullopt, std::move(inside)};
    }
    return argument;
}

std::vector<Argument> named(std::vector<Argument> arguments, const Recognition& known)
{
    for (Argument& argument : arguments)
        argument = named(std::move(argument), known);
    return arguments;
}

}  // namespace dcube
