#include "algorithms/beyond/any_network/signal_plans.hpp"

#include "algorithms/beyond/any_network/centred_tree.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <ranges>
#include <span>
#include <vector>

namespace dcube::detail {

namespace {

NodeId farthest_of(const std::vector<std::uint32_t>& hops)
{
    return static_cast<NodeId>(std::ranges::max_element(hops) - hops.begin());
}

// A node near the middle of the network: that of a shortest path between two nodes that are far from each other.
NodeId middle_of(const Topology& topology, const Arcs& arcs)
{
    if (topology.symmetric())
        return 0;
    const NodeId end = farthest_of(hops_from(arcs, 0));
    const std::vector<std::uint32_t> hops = hops_from(arcs, end);
    NodeId middle = farthest_of(hops);
    for (const std::uint32_t half = hops[middle] / 2; hops[middle] > half;)
        for_each_out(arcs, middle, [&, nearer = hops[middle] - 1](ArcId arc) {
            if (hops[arcs.to(arc)] == nearer)
                middle = arcs.to(arc);
        });
    return middle;
}

// The arcs of a tree of shortest paths from a node.
std::vector<ArcId> tree_of_shortest_paths(const Arcs& arcs, NodeId root)
{
    std::vector<bool> reached(arcs.nodes());
    reached[root] = true;
    std::vector<ArcId> tree;
    std::vector<NodeId> queue{root};
    for (std::size_t at = 0; at < queue.size(); ++at)
        for_each_out(arcs, queue[at], [&](ArcId arc) {
            if (reached[arcs.to(arc)])
                return;
            reached[arcs.to(arc)] = true;
            tree.push_back(arc);
            queue.push_back(arcs.to(arc));
        });
    return tree;
}

// The arcs over which all hear of a node if each that has heard tells one neighbour that has not in every step.
std::vector<ArcId> tree_of_turns(const Arcs& arcs, NodeId root)
{
    std::vector<bool> reached(arcs.nodes());
    reached[root] = true;
    std::vector<ArcId> tree;
    std::vector<NodeId> informed{root};
    std::vector<ArcId> next(arcs.nodes());  // by node: its arcs before that one lead to informed nodes
    const auto next_of = [&](NodeId node) {
        while (next[node] < arcs.degree(node) && reached[arcs.to(arcs.first_out(node) + next[node])])
            ++next[node];
        return next[node];
    };
    while (informed.size() < arcs.members().size())
        for (std::size_t i = 0, before = informed.size(); i < before; ++i) {
            const NodeId node = informed[i];
            if (next_of(node) == arcs.degree(node))
                continue;
            tree.push_back(arcs.first_out(node) + next[node]);
            informed.push_back(arcs.to(tree.back()));
            reached[informed.back()] = true;
        }
    return tree;
}

// By node: the step of the way down in which the whole reaches it, 0 at the centres.
std::vector<Step> steps_down(const CentredTree& tree, PortModel ports)
{
    std::vector<Step> down(tree.nodes.size());
    if (ports == PortModel::all) {
        for (const NodeId node : tree.downwards)
            down[node] = tree.nodes[node].depth;
        return down;
    }
    std::vector<std::vector<NodeId>> children(tree.nodes.size());
    std::vector<Step> below(tree.nodes.size());  // the steps that the whole takes from a node to all below it
    for (const NodeId node : tree.downwards | std::views::reverse) {
        for_each_child(tree, node, [&](NodeId child) { children[node].push_back(child); });
        std::ranges::stable_sort(children[node], std::greater{}, [&](NodeId child) { return below[child]; });
        Step turn = 0;
        for (const NodeId child : children[node])
            below[node] = std::max(below[node], ++turn + below[child]);
    }
    for (const NodeId node : tree.downwards) {
        Step turn = 0;
        for (const NodeId child : children[node])
            down[child] = down[node] + ++turn;
    }
    return down;
}

}  // namespace

SignalPlan tree_signals(const Topology& topology, PortModel ports)
{
    if (topology.nodes() == 1)
        return {};
    const Arcs arcs(topology);
    const auto tree_from = ports == PortModel::all ? tree_of_shortest_paths : tree_of_turns;
    const CentredTree tree = centred(arcs, tree_from(arcs, middle_of(topology, arcs)));
    const std::vector<Step> down = steps_down(tree, ports);
    const Step half = *std::ranges::max_element(down);
    const Step across = tree.has_two_centres() ? 1 : 0;
    SignalPlan plan{.steps = 2 * half + across};
    const auto send = [&](Step step, ArcId arc) { plan.signals.push_back({step, arcs.from(arc), arcs.port(arc)}); };
    for (const NodeId node : tree.downwards) {
        const ArcId up = tree.nodes[node].up;
        if (up == CentredTree::no_arc)
            continue;
        send(half + 1 - down[node], up);  // the way down, backwards in time; a centre's goes across
        if (!tree.is_centre(node))
            send(half + across + down[node], arcs.opposite(up));
    }
    std::ranges::stable_sort(plan.signals, {}, &Signal::step);
    return plan;
}

}  // namespace dcube::detail
