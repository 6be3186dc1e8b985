// Total exchange in Cayley graphs on one port (Dimakopoulos & Dimopoulos 1998), and in complete graphs on all ports. On
// all ports of other Cayley graphs see class_matching.hpp.
//
// One port: for every element x != 1 of the group take one shortest word x = s_1 s_2 .. of generators. One x after the
// other, hop by hop, every node g sends the packet of offset x that it holds over s_h. All nodes use the same
// generator, so each sends one packet and receives one. Steps: the sum of the words' lengths, which is the status, the
// least that one port allows. The ring is the case of +1 and -1: floor(n^2 / 4).
//
// Complete graphs on all ports: everything in one step.
//
// Transmissions: the sum of all distances. Planning takes time and memory as the hops of one node.

#include "algorithms/dimakopoulos/factor_schedules.hpp"

#include <dcube/topology.hpp>

namespace dcube::detail {

Schedule cayley_one_port(const Graph& graph)
{
    const Topology topology = Topology::product({graph});
    Schedule schedule{Symmetry::translated, 0, {}};
    for (NodeId target = 1; target < graph.nodes(); ++target)
        for (NodeId at = 0; at != target;) {  // where the packets are that node 0 has sent
            const Port port = topology.ports_towards(at, target).front();
            const NodeId back = graph.inverse(at);
            schedule.hops.push_back({++schedule.steps, 0, port, {back, graph.times(back, target), 0}});
            at = graph.neighbour(at, port);
        }
    return schedule;
}

Schedule complete_all_ports(const Graph& graph)
{
    Schedule schedule{Symmetry::translated, 1, {}};
    for (Port port = 0; port + 1 < graph.nodes(); ++port)
        schedule.hops.push_back({1, 0, port, {0, port + 1, 0}});
    return schedule;
}

}  // namespace dcube::detail
