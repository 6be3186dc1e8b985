#include "collectives/bounds/any_network.hpp"

#include "collectives/bounds/demand.hpp"
#include "collectives/bounds/dissemination.hpp"
#include "collectives/bounds/extremes.hpp"
#include "collectives/bounds/scan.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dcube {

namespace {

using Kind = Argument::Kind;

/// Whether the messages come from the root, in collectives that have one.
bool from_root(const Problem& problem)
{
    return traits(problem.collective).origin == Who::root;
}

/// Scatter: max over k of ceil(m n_k / p) + k - 1, where n_k nodes are k hops or more away from the root, which has p
/// ports. Their packets leave the root one after the other, and the last of them still has k hops to go, the first of
/// these included. Gather is this backwards: they come from there, the farthest last.
Argument root_queue(const Topology& topology, const Problem& problem, std::uint64_t ports, std::string reason)
{
    const std::vector<std::uint64_t> counts = nodes_by_distance(topology, problem.root);
    Argument queue{.kind = from_root(problem) ? Kind::leaving : Kind::arriving,
                   .name = "root-links",
                   .reason = std::move(reason),
                   .per_step = ports,
                   .node = problem.root};
    Argument most = queue;
    std::uint64_t beyond = 0;
    for (std::size_t far = counts.size() - 1; far > 0; --far) {
        beyond += counts[far];
        queue.factors = {beyond, problem.packets};
        queue.far = far;
        if (most.factors.empty() || queue.value() > most.value())
            most = queue;
    }
    return most;
}

/// max over all nodes of ceil(m / p) + h - 1, where the node has p ports and is h hops away from the root: its own
/// packets arrive by its ports, none before step h. Backwards: they leave by its ports, and the last has h hops to go.
Argument of_one_node(const Topology& topology, const Problem& problem)
{
    const NodeId root = problem.root;
    Argument one{.kind = from_root(problem) ? Kind::arriving : Kind::leaving,
                 .name = "node-links",
                 .reason = from_root(problem)
                               ? "a node's packets arrive by its ports, none before its distance from the root"
                               : "a node's packets leave by its ports, and have its distance to the root to go",
                 .factors = {problem.packets},
                 .other = root};
    const auto at = [&](NodeId node) {
        one.per_step = topology.ports(node);
        one.far = topology.distance(root, node);
        one.node = node;
        return one;
    };
    Argument most = at(farthest_from(topology, root));
    if (!topology.symmetric())
        for (NodeId node = 0; node < topology.nodes(); ++node)
            if (node != root && at(node).value() > most.value())
                most = one;
    return most;
}

/// ceil(m / p) + e - 1 for p ports and the farthest node, e hops away: the last packet of the message leaves the root
/// in step ceil(m / p) or later, and has to reach that node. Backwards: its share of the last block comes from there.
Argument of_root(const Topology& topology, const Problem& problem, std::uint64_t per_step, std::string reason)
{
    const NodeId farthest = farthest_from(topology, problem.root);
    return {.kind = from_root(problem) ? Kind::leaving : Kind::arriving,
            .name = "root-links",
            .reason = std::move(reason),
            .factors = {problem.packets},
            .per_step = per_step,
            .far = topology.distance(problem.root, farthest),
            .node = problem.root,
            .other = farthest};
}

Argument rooted(const Topology& topology, const Problem& problem)
{
    const Port ports = topology.ports(problem.root);
    if (pattern_of(problem.collective) == Pattern::one_to_each)
        return largest({root_queue(topology, problem, ports,
                                   from_root(problem) ? "all packets for the other nodes leave the root by its ports, "
                                                        "the farthest first"
                                                      : "all packets of the other nodes enter the root by its ports, "
                                                        "the farthest last"),
                        of_one_node(topology, problem)});
    return largest({of_root(topology, problem, ports,
                            from_root(problem)
                                ? "the last packet leaves the root by its ports, and has to reach the farthest node"
                                : "the shares enter the root by its ports, and the farthest node's have the longest "
                                  "distance to come"),
                    of_one_node(topology, problem)});
}

/// ceil(m (N - 1) / nu): every other node receives (sends) every packet, and at most nu can move at once (L2).
Argument moves_of_one_message(const Topology& topology, const Problem& problem)
{
    const std::uint64_t moves = simultaneous_moves(topology);
    return {.kind = Kind::hops,
            .name = "transmissions",
            .reason = fmt::format("every other node {} every packet, and at most {} can move at once",
                                  from_root(problem) ? "receives" : "sends its share of", moves),
            .factors = {std::uint64_t{topology.nodes()} - 1, problem.packets},
            .per_step = moves};
}

/// Broadcast and reduce: the largest of m + e - 1, m + ceil(log2 N) - 1, the dissemination bound and ceil(m (N - 1) /
/// nu).
Argument one_port_rooted(const Topology& topology, const Problem& problem)
{
    const auto doublings = static_cast<std::uint64_t>(std::bit_width(topology.nodes() - 1));
    return largest({of_root(topology, problem, 1,
                            from_root(problem) ? "the last packet leaves the root in step m or later, and has to reach "
                                                 "the farthest node"
                                               : "the root completes at most one block per step, the first not before "
                                                 "the farthest node's share has come"),
                    {.kind = Kind::doubling,
                     .name = "doubling",
                     .reason = from_root(problem) ? "the last packet leaves the root in step m or later, and its "
                                                    "holders at most double in a step"
                                                  : "the root completes at most one block per step, and shares at most "
                                                    "halve in a step",
                     .factors = {problem.packets},
                     .far = doublings,
                     .node = problem.root},
                    dissemination(topology, problem, problem.root),
                    moves_of_one_message(topology, problem)});
}

/// All-gather and reduce-scatter: the diameter, and what all nodes receive (send). All ports: ceil(m (N - 1) / p) for
/// the node with the fewest ports, p. One port: ceil(m N (N - 1) / nu), if at most nu packets can move at once.
Argument all_to_one_another(const Topology& topology, PortModel ports, const Problem& problem)
{
    const std::uint64_t n = topology.nodes();
    const bool reduces = is_reduction(problem.collective);
    const std::string each =
        reduces ? "every node sends its share of all other blocks" : "every node receives the packets of all others";
    if (ports == PortModel::all) {
        const NodeId node = node_with_fewest_ports(topology);
        return largest({diameter_argument(topology, "distance"),
                        {.kind = reduces ? Kind::leaving : Kind::arriving,
                         .name = "node-links",
                         .reason = each + " by its ports",
                         .factors = {n - 1, problem.packets},
                         .per_step = topology.ports(node),
                         .node = node}});
    }
    const std::uint64_t moves = simultaneous_moves(topology);
    return largest({diameter_argument(topology, "distance"),
                    {.kind = Kind::hops,
                     .name = "transmissions",
                     .reason = fmt::format("{}, and at most {} packets can move at once", each, moves),
                     .factors = {n, n - 1, problem.packets},
                     .per_step = moves}});
}

/// max over all nodes of ceil(m / p) + h - 1: the m sums that need the share of the node farthest from it, h hops away,
/// arrive by its p ports (one port: one per step), none before step h.
Argument sums_at_one_node(const Topology& topology, PortModel ports, std::uint64_t m)
{
    Argument one{.kind = Kind::arriving, .name = "farthest-share", .factors = {m}};
    one.reason =
        ports == PortModel::one
            ? "the sums that need the farthest node's share arrive one per step, none before its distance"
            : "the sums that need the farthest node's share arrive by a node's ports, none before its distance";
    const auto at = [&](NodeId node, NodeId other) {
        one.per_step = ports == PortModel::one ? 1 : topology.ports(node);
        one.far = topology.distance(node, other);
        one.node = node;
        one.other = other;
        return one;
    };
    const auto [from, to] = farthest_pair(topology);
    Argument most = at(from, to);
    if (ports == PortModel::all && !topology.symmetric())
        for (NodeId node = 0; node < topology.nodes(); ++node)
            if (at(node, farthest_from(topology, node)).value() > most.value())
                most = one;
    return most;
}

/// Beside that ceil(2 m (N - 1) / c), over c links or as many packets as can move at once: each of the m blocks needs
/// N - 1 sends before the first node has its sum, and one more receive for each other node.
Argument all_reduce(const Topology& topology, PortModel ports, const Problem& problem)
{
    const std::uint64_t m = problem.packets;
    Argument transmissions{.kind = Kind::hops,
                           .name = "transmissions",
                           .reason = "every block needs 2(N-1) transmissions, over all links",
                           .factors = {2, std::uint64_t{topology.nodes()} - 1, m},
                           .per_step = topology.directed_links()};
    if (ports == PortModel::one) {
        transmissions.per_step = simultaneous_moves(topology);
        transmissions.reason = fmt::format("every block needs 2(N-1) transmissions, and at most {} packets can move at "
                                           "once",
                                           transmissions.per_step);
    }
    if (ports == PortModel::all)
        return largest({sums_at_one_node(topology, ports, m), transmissions});
    return largest({sums_at_one_node(topology, ports, m), longest_dissemination(topology, problem), transmissions});
}

/// Every node has to hear of every other: the diameter, on one port also the dissemination of one node's signal, and
/// ceil(2 (N - 1) / c), over c links or as many packets as can move at once. Packets can be put in a row, those of a
/// step in any order: N - 1 of them come before the first node has heard of all, as each other node has sent one, and
/// then N - 1 nodes still have to receive one.
Argument signals(const Topology& topology, PortModel ports, const Problem& problem)
{
    const std::uint64_t moves =
        ports == PortModel::one ? simultaneous_moves(topology) : std::uint64_t{topology.directed_links()};
    const Argument transmissions{.kind = Kind::hops,
                                 .name = "transmissions",
                                 .reason =
                                     fmt::format("2(N-1) packets are needed, and at most {} can move at once", moves),
                                 .factors = {2, std::uint64_t{topology.nodes()} - 1},
                                 .per_step = moves};
    if (ports == PortModel::all)
        return largest({diameter_argument(topology, "distance"), transmissions});
    Problem one_signal = problem;
    one_signal.packets = 1;
    return largest(
        {diameter_argument(topology, "distance"), longest_dissemination(topology, one_signal), transmissions});
}

Argument all_to_all(const Topology& topology, PortModel ports, const Problem& problem)
{
    Argument most{};
    for (Argument& one : exchange_arguments(topology, ports, problem.packets)) {
        if (one.kind != Kind::distance)
            one.factors.push_back(problem.packets);
        if (one.value() > most.value())
            most = std::move(one);
    }
    return most;
}

}  // namespace

Argument diameter_argument(const Topology& topology, std::string_view name)
{
    const auto [from, to] = farthest_pair(topology);
    return {.kind = Kind::distance,
            .name = name,
            .reason = "the diameter",
            .far = topology.diameter(),
            .node = from,
            .other = to};
}

void require_root(const Topology& topology, const Problem& problem)
{
    if (has_root(problem.collective))
        validate({.collective = Collective::broadcast, .root = problem.root, .link = {.kind = LinkKind::link_bound}},
                 topology);
}

Argument steps_on_any_network(const Topology& topology, PortModel ports, const Problem& problem)
{
    switch (pattern_of(problem.collective)) {
    case Pattern::one_to_all:
        return ports == PortModel::all ? rooted(topology, problem) : one_port_rooted(topology, problem);
    case Pattern::one_to_each:
        if (ports == PortModel::all)
            return rooted(topology, problem);
        return root_queue(topology, problem, 1,
                          from_root(problem) ? "the root sends one packet per step, the farthest first"
                                             : "the root receives one packet per step, the farthest last");
    case Pattern::each_to_all: return all_to_one_another(topology, ports, problem);
    case Pattern::each_to_each: return all_to_all(topology, ports, problem);
    case Pattern::sums_to_all: return all_reduce(topology, ports, problem);
    case Pattern::prefix_sums: return steps_of_scan(topology, ports, problem);
    case Pattern::signals: return signals(topology, ports, problem);
    case Pattern::pairs:
    case Pattern::elements: return steps_by_demand(topology, ports, problem);
    }
    return {};
}

Bound transmissions_on_any_network(const Topology& topology, const Problem& problem)
{
    const std::uint64_t m = problem.packets;
    const std::uint64_t n = topology.nodes();
    const bool reversed = is_reversed(problem.collective);
    switch (pattern_of(problem.collective)) {
    case Pattern::one_to_all:
        return {m * (n - 1), reversed ? "every other node sends its share of every block"
                                      : "every other node receives every packet"};
    case Pattern::one_to_each: return {m * topology.status(problem.root), "the sum of the distances"};
    case Pattern::each_to_all:
        return {m * n * (n - 1), reversed ? "every node sends its share of all other blocks"
                                          : "every node receives the packets of all others"};
    case Pattern::each_to_each: return {m * topology.sum_of_statuses(), "the sum of the distances"};
    case Pattern::prefix_sums: return transmissions_of_scan(topology, problem);
    case Pattern::signals:
        return {2 * (n - 1), "N-1 packets before the first node has heard of all, and one more for each other node"};
    case Pattern::sums_to_all:
        return {2 * m * (n - 1), "N-1 sends before the first node is complete, and "
                                 "one more receive for each other node"};
    case Pattern::pairs:
    case Pattern::elements: return transmissions_by_demand(topology, problem);
    }
    return {};
}

}  // namespace dcube
