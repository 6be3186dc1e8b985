// shortest-paths, shortest-paths-one: every packet goes by shortest paths, and list scheduling says when.
// Well known; dcube's for any network, on all ports or on one. m packets a message.
//
//   broadcast       m trees from the root             reduce           the same backwards, sums on the paths
//   scatter         a path for every packet           gather           the same backwards
//   all-gather      a tree from every node, m times   reduce-scatter   the same backwards, sums on the paths
//   all-reduce      a tree for every block of the vector: reduced to its root, then spread from there
//   send, exchange, permute   a path for every packet
//
// Paths go over the links (on one port: from the senders) that have been chosen least so far. In every step each link
// carries the packet with the longest path still to go; on one port the longest ones choose first.
//
// Steps: as many as the schedule has, which is made to tell them; nothing is proved of them. Transmissions: the least.
// Planning takes time and memory as the hops of all nodes; on Cayley graphs all-gather, reduce-scatter and all-reduce
// of whole shares are one node's schedule, translated.

#include "algorithms/any_network/shortest_path_schedule.hpp"
#include "algorithms/any_network/shortest_path_trees.hpp"
#include "algorithms/families.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

// More would take gigabytes for the plan alone.
constexpr double most_planned_hops = 1 << 24;

// All nodes' hops in one round.
double hops(const Topology& topology, const Problem& problem)
{
    const double others = topology.nodes() - 1.0;
    const double packets = static_cast<double>(problem.packets);
    switch (problem.collective) {
    case Collective::broadcast:
    case Collective::reduce: return packets * others;
    case Collective::all_reduce: return 2 * packets * others;
    case Collective::scatter:
    case Collective::gather: return packets * static_cast<double>(topology.status(problem.root));
    case Collective::all_gather:
    case Collective::reduce_scatter: return topology.nodes() * others;
    case Collective::send:
    case Collective::exchange:
    case Collective::permute:
    case Collective::all_to_all:
    case Collective::matrix_transpose:
    case Collective::matrix_quarter_turn:
    case Collective::matrix_half_turn:
    case Collective::matrix_relayout: break;
    }
    return packets * (others + 1) * topology.diameter();  // at most: every node has one message
}

double planned_hops(const Topology& topology, const Problem& problem)
{
    return hops(topology, problem) / (has_translated_paths(topology, problem) ? topology.nodes() : 1);
}

std::string obstacle(const Topology& topology, const Problem& problem)
{
    if (planned_hops(topology, problem) <= most_planned_hops)
        return {};
    return fmt::format("it would have to plan {:.0f} hops: at most {:.0f} are allowed", planned_hops(topology, problem),
                       most_planned_hops);
}

// Hops that carry something: of the last share of an all-reduce some blocks may be missing.
Cost cost(const Topology& topology, const Problem& problem, PortModel ports)
{
    const std::shared_ptr<const Schedule> schedule = shortest_path_schedule(topology, problem, ports);
    const std::uint64_t times = shortest_path_rounds(topology, problem);
    if (schedule->symmetry == Symmetry::translated)
        return {times * schedule->steps, problem.collective == Collective::all_reduce
                                             ? 2 * problem.packets * (topology.nodes() - 1)
                                             : times * schedule->hops.size() * topology.nodes()};
    return {times * schedule->steps, times * schedule->hops.size()};
}

std::size_t storage(const Topology& topology, const Problem& problem)
{
    const auto planned = static_cast<std::size_t>(planned_hops(topology, problem));
    const double in_transit = hops(topology, problem) * static_cast<double>(problem.bytes);
    return plan_bytes(planned) + planned * sizeof(PacketTree::Edge) + static_cast<std::size_t>(in_transit);
}

// ---- Phases: of roots what they do, which the schedule tells ----

Phases root_sends(const Schedule& schedule, NodeId root)
{
    Step last = 0;
    for (const Hop& hop : schedule.hops)
        if (hop.from == root)
            last = std::max(last, hop.step);
    return PhaseLine()
        .add(last, {"the root sends", "The root sends its packets on their shortest paths, those with the longest way "
                                      "still to go first; the others pass them on."})
        .add(schedule.steps - last, {"the last packets arrive", "The root has sent all; what is still under way goes "
                                                                "on to the last nodes."})
        .take();
}

Phases root_receives(const Topology& topology, const Schedule& schedule, NodeId root)
{
    Step first = schedule.steps + 1;
    for (const Hop& hop : schedule.hops)
        if (topology.neighbour(hop.from, hop.port) == root)
            first = std::min(first, hop.step);
    return PhaseLine()
        .add(first - 1, {"the first packets set out", "The nodes that are far from the root begin; nothing has reached "
                                                      "the root yet."})
        .add(schedule.steps + 1 - first,
             {"the root receives", "What the others send along shortest paths now reaches the "
                                   "root."})
        .take();
}

Phases one_round_phases(const Topology& topology, const Problem& problem, const Schedule& schedule)
{
    constexpr std::string_view longest_first = "where two want the same link, the one with the longer way to go first";
    switch (problem.collective) {
    case Collective::broadcast:
    case Collective::scatter: return root_sends(schedule, problem.root);
    case Collective::reduce:
    case Collective::gather: return root_receives(topology, schedule, problem.root);
    case Collective::all_reduce:
        return PhaseLine()
            .add(schedule.steps / 2, {"sums to one node", "Every block is summed up along a tree of shortest paths, "
                                                          "at one node."})
            .add(schedule.steps / 2, {"sums to all", "Every whole sum spreads from its node to all, along the same "
                                                     "tree in the opposite order."})
            .take();
    case Collective::all_gather:
        return whole_run(schedule.steps,
                         {"trees from all nodes", fmt::format("The packets of all {} nodes go down trees of shortest "
                                                              "paths at once, {}.",
                                                              topology.nodes(), longest_first)});
    case Collective::reduce_scatter:
        return whole_run(schedule.steps,
                         {"trees to all nodes", fmt::format("The sums of all {} blocks grow along trees of shortest "
                                                            "paths at once, each towards its node.",
                                                            topology.nodes())});
    case Collective::send:
    case Collective::exchange:
    case Collective::permute:
        return whole_run(schedule.steps,
                         {"shortest paths", fmt::format("Every packet goes along a shortest path, and all such paths "
                                                        "are used evenly; {}.",
                                                        longest_first)});
    case Collective::all_to_all:
    case Collective::matrix_transpose:
    case Collective::matrix_quarter_turn:
    case Collective::matrix_half_turn:
    case Collective::matrix_relayout: break;
    }
    return {};
}

Phases phases(const Topology& topology, const Problem& problem, PortModel ports)
{
    const std::shared_ptr<const Schedule> schedule = shortest_path_schedule(topology, problem, ports);
    return once_a_packet(shortest_path_rounds(topology, problem), schedule->steps,
                         one_round_phases(topology, problem, *schedule));
}

// A schedule says in a block's name which node sums it up: node b mod N for block b. Where nodes are missing that may
// be one of them.
Algorithm where_all_nodes_are(Algorithm algorithm)
{
    algorithm.obstacle = [rest = std::move(algorithm.obstacle)](const Topology& topology, const Problem& problem) {
        return topology.lacks_nodes() ? "it is for networks that lack no node" : rest(topology, problem);
    };
    return algorithm;
}

Algorithm entry(Collective collective, PortModel ports, std::string_view summary)
{
    Algorithm made = plan_entry(
        {
            .collective = collective,
            .name = ports == PortModel::all ? "shortest-paths" : "shortest-paths-one",
            .paper = "well known: shortest paths, list scheduling",
            .origin = Origin::dcube,
            .summary = summary,
            .ports = ports,
            .networks = is_point_to_point(collective) ? Networks::products : Networks::no_hypercubes,
            .obstacle = obstacle,
            .cost = [ports](const Topology& topology,
                            const Problem& problem) { return cost(topology, problem, ports); },
            .planning_work = shortest_path_work,
            .storage = storage,
            .phases = [ports](const Topology& topology,
                              const Problem& problem) { return phases(topology, problem, ports); },
        },
        [ports](const Topology& topology, const Problem& problem) {
            return *shortest_path_schedule(topology, problem, ports);
        },
        shortest_path_rounds);
    return collective == Collective::all_reduce ? where_all_nodes_are(std::move(made)) : made;
}

}  // namespace

// A hop is chosen among ports, waits in a heap, and is taken out of it.
std::uint64_t shortest_path_work(const Topology& topology, const Problem& problem)
{
    constexpr double operations_a_hop = 50;
    return static_cast<std::uint64_t>(operations_a_hop * planned_hops(topology, problem));
}

std::vector<Algorithm> routed_family()
{
    constexpr std::pair<Collective, std::string_view> summaries[] = {
        {Collective::broadcast, "every packet down a tree of shortest paths, one behind the other"},
        {Collective::reduce, "the broadcast backwards, sums on the paths"},
        {Collective::scatter, "shortest paths that share the root's links evenly, the farthest first"},
        {Collective::gather, "the scatter backwards"},
        {Collective::all_gather, "a tree of shortest paths from every node, the longest paths first"},
        {Collective::reduce_scatter, "the all-gather backwards, sums on the paths"},
        {Collective::all_reduce, "every block is reduced to one node and spread from there, all side by side"},
        {Collective::send, "every packet on a shortest path, all such paths used evenly"},
        {Collective::exchange, "every packet on a shortest path, all such paths used evenly"},
        {Collective::permute, "every packet on a shortest path, all such paths used evenly"},
    };
    std::vector<Algorithm> family;
    for (const auto& [collective, summary] : summaries)
        for (const PortModel ports : {PortModel::all, PortModel::one})
            family.push_back(entry(collective, ports, summary));
    return family;
}

}  // namespace dcube::detail
