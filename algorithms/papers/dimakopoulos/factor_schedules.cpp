// The exchanges in one graph that have a closed form: paths, rings, and on one port all Cayley graphs (Dimakopoulos &
// Dimopoulos 1998), each with its proof of length. factor_exchange.cpp chooses among them.

#include "algorithms/papers/dimakopoulos/factor_schedules.hpp"

#include <dcube/topology.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

// Packets that all move in one direction along a path or round a ring: on each link the packet that has the most hops
// left goes first, of these the one that has come farthest.
class OneDirection {
public:
    explicit OneDirection(const Graph& graph) : graph_(graph), waiting_(graph.nodes()) {}

    void add(NodeId origin, NodeId target, NodeId hops) { waiting_[origin].push_back({hops, 0, origin, target}); }

    // Everything moves over `port(node)`, from step `first` on; returns the step after the last. Calls emit(hop).
    template <class PortOf, class Emit>
    Step run(Step first, const PortOf& port, const Emit& emit)
    {
        for (Step step = first;; ++step) {
            std::vector<std::pair<NodeId, Packet>> arriving;
            for (NodeId node = 0; node < graph_.nodes(); ++node) {
                std::vector<Packet>& here = waiting_[node];
                if (here.empty())
                    continue;
                const auto next = std::ranges::max_element(
                    here, {}, [](const Packet& packet) { return std::pair(packet.left, packet.made); });
                emit(Hop{step, node, port(node), {next->origin, next->target, 0}});
                if (next->left > 1)
                    arriving.emplace_back(graph_.neighbour(node, port(node)),
                                          Packet{next->left - 1, next->made + 1, next->origin, next->target});
                *next = here.back();
                here.pop_back();
            }
            for (const auto& [node, packet] : arriving)
                waiting_[node].push_back(packet);
            if (std::ranges::all_of(waiting_, [](const auto& here) { return here.empty(); }))
                return step + 1;
        }
    }

private:
    struct Packet {
        NodeId left;  // hops
        NodeId made;
        NodeId origin;
        NodeId target;
    };

    const Graph& graph_;
    std::vector<std::vector<Packet>> waiting_;
};

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

// Total exchange in a ring of n nodes on all ports, both directions at once; on one port see below.
//
// Odd n: offsets 1 .. (n - 1) / 2 go up and the others down, one offset after the other, each in as many steps as it
// has hops, all nodes alike: (n^2 - 1) / 8 steps (Dimakopoulos & Dimopoulos 1998).
//
// Even n: offsets below n / 2 go up, those above down; packets for the opposite node go up from even nodes and down
// from odd ones, so that both directions have n^2 / 8 hops per link. On each link the packet with most hops left goes
// first: ceil(n^2 / 8) steps, checked for n up to 40. Nodes are of two kinds, even and odd.
//
// Both are the packets across a cut into halves, over its two links, rounded up. Transmissions: the sum of all
// distances. Planning takes time and memory as the hops: of one node for odd n, of two kept from a run of all n nodes
// for even n.

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

// Total exchange in Cayley graphs on one port (Dimakopoulos & Dimopoulos 1998), and in complete graphs on all ports. On
// all ports of other Cayley graphs see class_matching.cpp.
//
// One port: for every element x != 1 of the group take one shortest word x = s_1 s_2 .. of generators. One x after the
// other, hop by hop, every node g sends the packet of offset x that it holds over s_h. All nodes use the same
// generator, so each sends one packet and receives one. Steps: the sum of the words' lengths, which is the status, the
// least that one port allows. The ring is the case of +1 and -1: floor(n^2 / 4).
//
// Complete graphs on all ports: everything in one step.
//
// Transmissions: the sum of all distances. Planning takes time and memory as the hops of one node.

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
