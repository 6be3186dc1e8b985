// Total exchange in a ring of n nodes on all ports, both directions at once; on one port see cayley_graphs.cpp.
//
// Odd n: offsets 1 .. (n - 1) / 2 go up and the others down, one offset after the other, each in as many steps as it
// has hops, all nodes alike: (n^2 - 1) / 8 steps (Dimakopoulos & Dimopoulos 1998).
//
// Even n: offsets below n / 2 go up, those above down; packets for the opposite node go up from even nodes and down
// from odd ones, so that both directions have n^2 / 8 hops a link. On each link the packet with most hops left goes
// first: ceil(n^2 / 8) steps, checked for n up to 40. Nodes are of two kinds, even and odd.
//
// Both are the packets across a cut into halves, over its two links, rounded up. Transmissions: the sum of all
// distances. Planning takes time and memory as the hops: of one node for odd n, of two kept from a run of all n nodes
// for even n.

#include "algorithms/dimakopoulos/factor_schedules.hpp"
#include "algorithms/dimakopoulos/one_direction.hpp"

#include <algorithm>

namespace dcube::detail {

Schedule odd_ring_all_ports(const Graph& graph)
{
    Schedule schedule{Symmetry::translated, 0, {}};
    const NodeId n = graph.nodes();
    for (NodeId offset = 1; offset <= n / 2; ++offset)
        for (NodeId made = 0; made < offset; ++made) {
            ++schedule.steps;
            const NodeId left = offset - made;
            schedule.hops.push_back({schedule.steps, 0, 0, {(n - made) % n, left, 0}});
            schedule.hops.push_back({schedule.steps, 0, 1, {made, n - left, 0}});
        }
    return schedule;
}

Schedule even_ring_all_ports(const Graph& graph)
{
    Schedule schedule{Symmetry::translated, 0, {}, {0}};
    const NodeId n = graph.nodes();
    for (const bool up : {true, false}) {
        OneDirection packets(graph);
        for (NodeId origin = 0; origin < n; ++origin)
            for (NodeId hops = 1; hops <= n / 2; ++hops)
                if (hops < n / 2 || up == (origin % 2 == 0))
                    packets.add(origin, (origin + (up ? hops : n - hops)) % n, hops);
        const auto port = [up](NodeId) { return up ? Port{0} : Port{1}; };
        const auto keep = [&](Hop hop) {
            if (hop.from > 1)
                return;
            hop.packet.origin = (hop.packet.origin + n - hop.from) % n;
            hop.packet.target = (hop.packet.target + n - hop.from) % n;
            schedule.hops.push_back(hop);
        };
        schedule.steps = std::max(schedule.steps, packets.run(1, port, keep) - 1);
    }
    return schedule;
}

}  // namespace dcube::detail
