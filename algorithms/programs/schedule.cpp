#include "algorithms/programs/schedule.hpp"

#include <dcube/error.hpp>

#include <algorithm>

namespace dcube {

// Forwards node 0 sends (origin, target) to its neighbour v. Backwards v sends (target, origin) to node 0, hence by
// translation node 0 sends the image of (target, origin) over the port at which v saw the link.
Schedule reversed(const Topology& topology, const Schedule& schedule, Arrival arrival)
{
    if (!schedule.alternating.empty())
        throw InvalidArgument(
            "an alternating schedule has no reverse: only schedules whose nodes are all alike have one");
    Schedule backwards{schedule.symmetry, schedule.steps, {}};
    backwards.hops.reserve(schedule.hops.size());
    for (const Hop& hop : schedule.hops) {
        const NodeId receiver = topology.neighbour(hop.from, hop.port);
        const Port port = topology.arrival_port(hop.from, hop.port);
        const Step step = schedule.steps + 1 - hop.step;
        if (schedule.symmetry != Symmetry::translated) {
            backwards.hops.push_back(
                {step, receiver, port, {hop.packet.target, hop.packet.origin, hop.packet.copy}, arrival});
        } else {
            const NodeId origin = topology.untranslate(hop.packet.target, receiver);
            const NodeId target = topology.untranslate(hop.packet.origin, receiver);
            backwards.hops.push_back({step, 0, port, {origin, target, hop.packet.copy}, arrival});
        }
    }
    return backwards;
}

Schedule followed_by(Schedule first, const Schedule& second)
{
    first.hops.reserve(first.hops.size() + second.hops.size());
    for (Hop hop : second.hops) {
        hop.step += first.steps;
        first.hops.push_back(hop);
    }
    first.steps += second.steps;
    return first;
}

namespace detail {

Schedule in_direction_of(Collective collective, const Topology& topology, Schedule forwards)
{
    if (!is_reversed(collective))
        return forwards;
    return reversed(topology, forwards, is_reduction(collective) ? Arrival::added : Arrival::kept);
}

NodeId kind_of(const Topology& topology, const std::vector<unsigned>& alternating, NodeId node)
{
    NodeId kind = 0;
    for (std::size_t i = 0; i < alternating.size(); ++i)
        kind |= topology.digit(node, alternating[i]) % 2 << i;
    return kind;
}

NodeId least_of_kind(const Topology& topology, const std::vector<unsigned>& alternating, NodeId kind)
{
    NodeId node = 0;
    for (std::size_t i = 0; i < alternating.size(); ++i)
        node += (kind >> i & 1) * topology.stride(alternating[i]);
    return node;
}

Hop translated(const Topology& topology, const Hop& hop, NodeId node)
{
    const PacketName packet{topology.translate(hop.packet.origin, node), topology.translate(hop.packet.target, node),
                            hop.packet.copy};
    return {hop.step, node, hop.port, packet, hop.arrival};
}

PacketName name_at_receiver(const Topology& topology, const Hop& hop)
{
    const NodeId receiver = topology.neighbour(0, hop.port);
    return {topology.untranslate(hop.packet.origin, receiver), topology.untranslate(hop.packet.target, receiver),
            hop.packet.copy};
}

Schedule in_order(Schedule schedule)
{
    std::ranges::stable_sort(schedule.hops, {}, &Hop::step);
    return schedule;
}

}  // namespace detail

}  // namespace dcube
