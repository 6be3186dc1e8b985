// Total exchange in a path of n nodes.
//
// One port (Dimakopoulos & Dimopoulos 1998): everything that goes up, then everything that goes down, so every node
// sends to one side and receives from the other; the packet with the farthest target goes first. Each direction takes
// floor(n^2 / 4) steps, which every packet across the middle link needs. With an even n one step is saved: neighbours i
// and i + 1 with i = n/2 - 1 (mod 2) exchange first, both at once, and each direction then needs n^2 / 4 - 1 steps.
// Together floor((n^2 - 1) / 2): what the node in the middle must send.
//
// All ports: both directions at once, floor(n^2 / 4) steps: the packets across the middle link.
//
// Transmissions: the sum of all distances, (n^3 - n) / 3; so are the schedule's memory, and its planning time but for
// the search of the farthest packet.

#include "algorithms/dimakopoulos/factor_schedules.hpp"
#include "algorithms/dimakopoulos/one_direction.hpp"

namespace dcube::detail {

namespace {

// All packets that go up (to larger ids), or down, but for those that `done` names.
template <class Done>
Step add_direction(const Graph& graph, bool up, Step first, const Done& done, std::vector<Hop>& hops)
{
    OneDirection packets(graph);
    for (NodeId a = 0; a < graph.nodes(); ++a)
        for (NodeId b = a + 1; b < graph.nodes(); ++b)
            if (!done(a, b))
                packets.add(up ? a : b, up ? b : a, b - a);
    const auto port = [&](NodeId node) { return up ? graph.ports(node) - 1 : 0; };
    return packets.run(first, port, [&](const Hop& hop) { hops.push_back(hop); });
}

}  // namespace

Schedule path_one_port(const Graph& graph)
{
    Schedule schedule{Symmetry::none, 0, {}};
    const NodeId n = graph.nodes();
    const auto exchanged = [n](NodeId a, NodeId b) { return n % 2 == 0 && b == a + 1 && a % 2 == (n / 2 - 1) % 2; };
    Step next = 1;
    for (NodeId node = 0; node + 1 < n; ++node)
        if (exchanged(node, node + 1)) {
            schedule.hops.push_back({1, node, graph.ports(node) - 1, {node, node + 1, 0}});
            schedule.hops.push_back({1, node + 1, 0, {node + 1, node, 0}});
            next = 2;
        }
    next = add_direction(graph, true, next, exchanged, schedule.hops);
    schedule.steps = add_direction(graph, false, next, exchanged, schedule.hops) - 1;
    return schedule;
}

Schedule path_all_ports(const Graph& graph)
{
    Schedule schedule{Symmetry::none, 0, {}};
    const auto none = [](NodeId, NodeId) { return false; };
    for (const bool up : {true, false})
        schedule.steps = add_direction(graph, up, 1, none, schedule.hops) - 1;
    return schedule;
}

}  // namespace dcube::detail
