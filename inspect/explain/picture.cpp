#include "inspect/explain/picture.hpp"

#include "base/exact.hpp"

#include <algorithm>
#include <array>

namespace dcube::explain {

namespace {

using Kind = Argument::Kind;

constexpr int unmarked = -2;          // no part yet
constexpr NodeId most_counted = 256;  // nodes; in larger networks, hops are not split by distance

CutPicture cut_picture(const Topology& topology, const NodeCut& cut, bool inside_sends)
{
    CutPicture picture{std::vector<bool>(topology.nodes())};
    for (NodeId node = 0; node < topology.nodes(); ++node)
        picture.sending[node] = cut.inside[cut.factor ? topology.digit(node, *cut.factor) : node] == inside_sends;
    return picture;
}

void mark_part(const Topology& topology, NodeId start, int number, std::vector<int>& part)
{
    std::vector<NodeId> reached{start};
    part[start] = number;
    while (!reached.empty()) {
        const NodeId node = reached.back();
        reached.pop_back();
        for (Port port = 0; port < topology.ports(node); ++port) {
            const NodeId next = topology.neighbour(node, port);
            if (part[next] != unmarked)
                continue;
            part[next] = number;
            reached.push_back(next);
        }
    }
}

PartsPicture parts_picture(const Topology& topology, const Argument& argument)
{
    std::vector<int> part(topology.nodes(), unmarked);
    for (const NodeId node : argument.junction.empty() ? std::vector{argument.node} : argument.junction)
        part[node] = -1;
    int number = 0;
    for (NodeId node = 0; node < topology.nodes(); ++node)
        if (part[node] == unmarked)
            mark_part(topology, node, number++, part);
    return {std::move(part)};
}

// In a reversed picture the sums end at the root: shares of distant nodes have to set out early.
DistancePicture distance_picture(const Argument& argument)
{
    const bool leaves = argument.kind == Kind::leaving;
    const std::uint64_t rate = argument.kind == Kind::distance ? 0 : argument.per_step;
    if (leaves || argument.kind == Kind::distance)
        return {argument.node, argument.other, rate, leaves};
    return {argument.other, argument.node, rate};
}

DistancePicture paths_picture(const Argument& argument)
{
    DistancePicture picture{argument.other, argument.node};
    for (const std::uint64_t wait : argument.waits)
        picture.paths.push_back(wait + 1);
    return picture;
}

// The number of nodes that can have the packet if holders double, until all have it.
GrowthPicture growth_picture(const Topology& topology, const Argument& argument, const Problem& problem)
{
    GrowthPicture picture{argument.node, argument.value() + 1 - argument.far, is_reduction(problem.collective), {}};
    if (argument.kind == Kind::doubling)
        for (std::uint64_t step = 0, most = 1; step <= argument.far; ++step, most = 2 * most)
            picture.most.push_back(std::min<std::uint64_t>(most, topology.members()));
    return picture;
}

// The hops of a total exchange, by the distance of its messages.
std::vector<std::uint64_t> hops_by_distance(const Topology& topology, const Problem& problem)
{
    std::vector<std::uint64_t> hops;
    for (NodeId a = 0; a < topology.nodes(); ++a)
        for (NodeId b = 0; topology.is_member(a) && b < topology.nodes(); ++b) {
            const unsigned distance = a == b || !topology.is_member(b) ? 0 : topology.distance(a, b);
            if (distance == 0)
                continue;
            hops.resize(std::max<std::size_t>(hops.size(), distance));
            hops[distance - 1] += distance * packets_between(problem, topology, a, b);
        }
    return hops;
}

AmountPicture amount_picture(const Topology& topology, const Argument& argument, const Problem& problem)
{
    AmountPicture picture{argument.per_step, argument.kind == Kind::priced, {}};
    const bool exchange = problem.collective == Collective::all_to_all && !argument.cut.factor;
    if (argument.kind == Kind::hops && exchange && topology.nodes() <= most_counted)
        picture.by_distance = hops_by_distance(topology, problem);
    return picture;
}

}  // namespace

std::optional<Picture> picture_of(const Topology& topology, const Argument& argument, const Problem& problem)
{
    const bool apart_by = argument.far > 1 && argument.factors.size() == 1;  // of two nodes, not of many
    switch (argument.kind) {
    case Kind::nothing:
    case Kind::timed_prices: return std::nullopt;
    case Kind::distance: return distance_picture(argument);
    case Kind::arriving:
        if (apart_by)
            return distance_picture(argument);
        return PortsPicture{argument.node, false};
    case Kind::leaving:
        if (apart_by)
            return distance_picture(argument);
        return PortsPicture{argument.node, true};
    case Kind::passing: return PortsPicture{argument.node, true};
    case Kind::detours: return PortsPicture{argument.outwards ? argument.other : argument.node, argument.outwards};
    case Kind::unrolled: return PortsPicture{argument.node, problem.collective != Collective::gather};
    case Kind::cut:
    case Kind::timed_cut: return cut_picture(topology, argument.cut, true);
    case Kind::entering:
    case Kind::senders: return cut_picture(topology, argument.cut, argument.outwards);
    case Kind::junction: return parts_picture(topology, argument);
    case Kind::paths: return paths_picture(argument);
    case Kind::doubling:
    case Kind::dissemination: return growth_picture(topology, argument, problem);
    case Kind::hops:
    case Kind::priced: return amount_picture(topology, argument, problem);
    }
    return std::nullopt;
}

std::optional<Picture> picture_of(const TimeArgument& bound, const Problem& problem)
{
    const Argument& argument = bound.argument;
    const bool differ = argument.kind == Kind::timed_cut || argument.kind == Kind::timed_prices;
    if (argument.kind == Kind::nothing || differ)
        return std::nullopt;
    const double tau = bound.unit == 0 ? 0 : problem.link.tau.to_double();  // packets without bytes
    const double beta = problem.link.beta.to_double();
    if (argument.kind == Kind::distance)
        return TimePicture{beta, tau, argument.far - 1, tau};
    const detail::Integer on_one = (argument.packets() * bound.unit + argument.per_step - 1) / argument.per_step;
    return TimePicture{beta, tau * on_one.convert_to<double>(), argument.far - 1, tau};
}

std::string_view kind_of(const Picture& picture)
{
    constexpr std::array<std::string_view, 7> kinds{"cut", "ports", "parts", "distance", "growth", "amount", "time"};
    static_assert(std::variant_size_v<Picture> == kinds.size());
    return kinds[picture.index()];
}

}  // namespace dcube::explain
