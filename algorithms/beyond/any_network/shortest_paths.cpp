// shortest-paths, shortest-paths-one: every packet goes by shortest paths, and list scheduling says when.
// Well known; dcube's for any network, on all ports or on one. m packets per message.
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
// Steps: known only after the schedule is made; nothing is proved about their number. Transmissions: the least.
// Planning takes time and memory proportional to the hops of all nodes; on Cayley graphs all-gather, reduce-scatter and
// all-reduce of whole shares are one node's schedule, translated.

#include "algorithms/beyond/any_network/shortest_path_trees.hpp"
#include "algorithms/families.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/kept_schedule.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/plan.hpp"
#include "algorithms/programs/schedule.hpp"
#include "base/arithmetic.hpp"
#include "base/memo.hpp"

#include <dcube/link.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

bool has_trees(Collective collective)
{
    return collective == Collective::broadcast || is_reduction(collective) ||
           pattern_of(collective) == Pattern::each_to_all;
}

// Whether one node's schedule, translated, serves all nodes. An all-reduce must have equally many blocks for every
// node, except that the last share may lack a few.
bool has_translated_paths(const Topology& topology, const Problem& problem)
{
    const bool shares = problem.collective == Collective::all_reduce && problem.packets >= topology.nodes();
    return topology.symmetric() && (shares || pattern_of(problem.collective) == Pattern::each_to_all);
}

std::vector<PacketTree> trees(LeastUsedPaths& paths, const Topology& topology, const Problem& problem)
{
    std::vector<PacketTree> trees;
    const auto packets = static_cast<std::uint32_t>(problem.packets);
    if (pattern_of(problem.collective) == Pattern::each_to_all) {  // once for every packet of a message
        for (NodeId origin = 0; origin < topology.nodes(); ++origin)
            trees.push_back(paths.tree(origin, {origin, origin, 0}));
    } else if (problem.collective == Collective::all_reduce) {
        for (std::uint32_t block = 0; block < packets; ++block) {
            const NodeId owner = block % topology.nodes();
            trees.push_back(paths.tree(owner, {owner, owner, block / topology.nodes()}));
        }
    } else {  // broadcast, reduce
        for (std::uint32_t copy = 0; copy < packets; ++copy)
            trees.push_back(paths.tree(problem.root, {problem.root, problem.root, copy}));
    }
    return trees;
}

// The farthest first, so that those with few paths to choose from are balanced by the others.
std::vector<NodeId> by_distance_downwards(const Topology& topology, NodeId root)
{
    std::vector<NodeId> nodes(topology.nodes());
    std::iota(nodes.begin(), nodes.end(), NodeId{0});
    std::ranges::stable_sort(nodes, std::greater{}, [&](NodeId node) { return topology.distance(root, node); });
    return nodes;
}

std::vector<PacketTree> single_paths(LeastUsedPaths& paths, const Topology& topology, const Problem& problem)
{
    std::vector<PacketTree> trees;
    const auto add = [&](NodeId from, NodeId to) {
        for (std::uint32_t copy = 0; from != to && copy < problem.packets; ++copy)
            trees.push_back(paths.path(from, to, {from, to, copy}));
    };
    if (has_permutation(problem.collective)) {
        for (NodeId node = 0; node < topology.nodes(); ++node)
            add(node, problem.permutation[node]);
    } else if (has_peer(problem.collective)) {
        add(problem.root, problem.peer);
        if (problem.collective == Collective::exchange)
            add(problem.peer, problem.root);
    } else {  // scatter, gather
        for (const NodeId node : by_distance_downwards(topology, problem.root))
            add(problem.root, node);
    }
    return trees;
}

// There, or with sums that are added on the paths, back.
Schedule one_direction(const Topology& topology, const Problem& problem, PortModel ports)
{
    const Symmetry symmetry = has_translated_paths(topology, problem) ? Symmetry::translated : Symmetry::none;
    LeastUsedPaths paths(topology, ports, symmetry);
    if (symmetry == Symmetry::translated)
        return schedule_trees(topology, ports, symmetry, {paths.tree(0, {0, 0, 0})});
    return schedule_trees(topology, ports, symmetry,
                          has_trees(problem.collective) ? trees(paths, topology, problem)
                                                        : single_paths(paths, topology, problem));
}

// One share of every node's blocks after the other.
Schedule repeated(const Schedule& schedule, std::uint32_t times)
{
    Schedule all{schedule.symmetry, 0, {}};
    for (std::uint32_t copy = 0; copy < times; ++copy, all.steps += schedule.steps)
        for (Hop hop : schedule.hops) {
            hop.step += all.steps;
            hop.packet.copy = copy;
            all.hops.push_back(hop);
        }
    return all;
}

Schedule make_schedule(const Topology& topology, const Problem& problem, PortModel ports)
{
    Schedule there = one_direction(topology, problem, ports);
    if (problem.collective == Collective::all_reduce) {
        if (there.symmetry == Symmetry::translated)
            there = repeated(there, static_cast<std::uint32_t>(ceil_div(problem.packets, topology.nodes())));
        return followed_by(reversed(topology, there, Arrival::added), there);
    }
    return in_direction_of(problem.collective, topology, std::move(there));
}

// All nodes' hops in one round. Messages for all nodes, and sums of all nodes' shares, go along a tree that spans the
// network; all others along a path, at most as long as the diameter.
double hops(const Topology& topology, const Problem& problem)
{
    const CollectiveTraits& of = traits(problem.collective);
    const double packets = static_cast<double>(problem.packets);
    const double tree = topology.nodes() - 1.0;
    if (of.origin == Who::nobody && of.target == Who::nobody)
        return 2 * packets * tree;  // up and down again
    const bool along_trees = of.origin == Who::nobody || of.target == Who::nobody;
    if (has_root(problem.collective))
        return packets * (along_trees ? tree : static_cast<double>(topology.status(problem.root)));
    return along_trees ? topology.nodes() * tree : packets * topology.nodes() * topology.diameter();
}

double planned_hops(const Topology& topology, const Problem& problem)
{
    return hops(topology, problem) / (has_translated_paths(topology, problem) ? topology.nodes() : 1);
}

// The elementary operations, about, that planning takes. A hop is chosen among ports, waits in a heap, and is taken out
// of it.
std::uint64_t shortest_path_work(const Topology& topology, const Problem& problem)
{
    constexpr double operations_a_hop = 50;
    return static_cast<std::uint64_t>(operations_a_hop * planned_hops(topology, problem));
}

// The number of times that the schedule is carried out.
std::uint32_t shortest_path_rounds(const Topology&, const Problem& problem)
{
    return pattern_of(problem.collective) == Pattern::each_to_all ? static_cast<std::uint32_t>(problem.packets) : 1;
}

// The schedule, which is carried out that often. The last few are kept.
std::shared_ptr<const Schedule> shortest_path_schedule(const Topology& topology, const Problem& problem,
                                                       PortModel ports)
{
    static Memo<UnitQuestion, Schedule> kept(16);
    UnitQuestion question = question_of(topology, ports, problem);
    if (pattern_of(problem.collective) == Pattern::each_to_all)
        question.packets = 1;
    return kept.get(question, [&] {
        return kept_schedule("shortest-paths", shortest_path_work(topology, problem), question,
                             [&] { return make_schedule(topology, problem, ports); });
    });
}

std::string obstacle(const Topology& topology, const Problem& problem)
{
    return too_many_hops(planned_hops(topology, problem));
}

// Hops that carry something: of the last share of an all-reduce some blocks may be missing.
Cost cost(const Topology& topology, const Problem& problem, PortModel ports)
{
    const std::shared_ptr<const Schedule> schedule = shortest_path_schedule(topology, problem, ports);
    const std::uint64_t times = shortest_path_rounds(topology, problem);
    if (schedule->symmetry == Symmetry::translated)
        return {times * schedule->steps, problem.collective == Collective::all_reduce
                                             ? std::uint64_t{2} * problem.packets * (topology.nodes() - 1)
                                             : times * schedule->hops.size() * topology.nodes()};
    return {times * schedule->steps, times * schedule->hops.size()};
}

std::uint64_t storage(const Topology& topology, const Problem& problem)
{
    const auto planned = static_cast<std::uint64_t>(planned_hops(topology, problem));
    const double in_transit = hops(topology, problem) * static_cast<double>(problem.bytes);
    return plan_bytes(planned) + planned * sizeof(PacketTree::Edge) + static_cast<std::uint64_t>(in_transit);
}

// ---- Phases: what the root does, as read from the schedule ----

Phases root_sends(const Schedule& schedule, NodeId root)
{
    Step last = 0;
    for (const Hop& hop : schedule.hops)
        if (hop.from == root)
            last = std::max(last, hop.step);
    return PhaseLine()
        .add(last, {"the root sends", "The root sends its packets on their shortest paths, those that have farthest to "
                                      "go first; the others pass them on."})
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
             {"the root receives", "What the others send along shortest paths now reaches the root."})
        .take();
}

Phases one_round_phases(const Topology& topology, const Problem& problem, const Schedule& schedule)
{
    constexpr std::string_view longest_first = "where two want the same link, the one that has farther to go is first";
    const CollectiveTraits& of = traits(problem.collective);
    if (has_root(problem.collective))
        return of.origin == Who::root ? root_sends(schedule, problem.root)
                                      : root_receives(topology, schedule, problem.root);
    if (is_point_to_point(problem.collective))
        return whole_run(schedule.steps,
                         {"shortest paths", fmt::format("Every packet goes along a shortest path, and all such paths "
                                                        "are used evenly; {}.",
                                                        longest_first)});
    if (of.origin == Who::all)
        return whole_run(schedule.steps,
                         {"trees from all nodes", fmt::format("The packets of all {} nodes go down trees of shortest "
                                                              "paths at once, {}.",
                                                              topology.nodes(), longest_first)});
    if (of.target == Who::all)
        return whole_run(schedule.steps,
                         {"trees to all nodes", fmt::format("The sums of all {} blocks grow along trees of shortest "
                                                            "paths at once, each towards its node.",
                                                            topology.nodes())});
    return PhaseLine()
        .add(schedule.steps / 2, {"sums to one node", "Every block is summed up along a tree of shortest paths, at one "
                                                      "node."})
        .add(schedule.steps / 2, {"sums to all", "Every whole sum spreads from its node to all, along the same tree in "
                                                 "the opposite order."})
        .take();
}

Phases phases(const Topology& topology, const Problem& problem, PortModel ports)
{
    const std::shared_ptr<const Schedule> schedule = shortest_path_schedule(topology, problem, ports);
    return once_a_packet(shortest_path_rounds(topology, problem), schedule->steps,
                         one_round_phases(topology, problem, *schedule));
}

// A schedule says in a block's name which node sums it up: node b mod N for block b. Where nodes are missing that may
// be one of them.
Entry where_all_nodes_are(Entry algorithm)
{
    algorithm.obstacle = [rest = std::move(algorithm.obstacle)](const Topology& topology, const Problem& problem) {
        return topology.lacks_nodes() ? "it is for networks that lack no node" : rest(topology, problem);
    };
    return algorithm;
}

Entry entry(const EntryWords& words, PortModel ports)
{
    const Collective collective = words.collective;
    Entry made = plan_entry(
        {{.collective = collective,
          .name = ports == PortModel::all ? "shortest-paths" : "shortest-paths-one",
          .ports = ports,
          .networks = is_point_to_point(collective) ? Networks::products : Networks::no_hypercubes,
          .same_bits = collective == Collective::all_reduce,
          .obstacle = obstacle,
          .cost = [ports](const Topology& topology, const Problem& problem) { return cost(topology, problem, ports); },
          .storage = storage},
         {.paper = "textbook: shortest paths, list scheduling",
          .origin = Origin::dcube,
          .summary = words.summary,
          .idea = ports == PortModel::all ? words.idea : words.one_port_idea,
          .formula = as_planned,
          .paper_note = "Nothing says that it meets a bound; each run is compared with them.",
          .planning_work = shortest_path_work,
          .phases = [ports](const Topology& topology,
                            const Problem& problem) { return phases(topology, problem, ports); }}},
        [ports](const Topology& topology, const Problem& problem) {
            return *shortest_path_schedule(topology, problem, ports);
        },
        shortest_path_rounds);
    return collective == Collective::all_reduce ? where_all_nodes_are(std::move(made)) : made;
}

}  // namespace

std::vector<Entry> routed_family()
{
    constexpr std::string_view evenly = "every packet on a shortest path, all such paths used evenly";
    constexpr std::string_view evenly_idea =
        "Every packet goes on a shortest path, over the links that have been chosen least so far. In every step each "
        "link carries the packet that has the longest path still to go. It works on every network; on few packets "
        "over short distances detours could be faster, and it takes none.";
    constexpr std::string_view evenly_one_port_idea =
        "With one port: every packet goes on a shortest path, by the senders that have been chosen least so far; in "
        "every step the packets with the longest paths still to go choose first.";
    constexpr EntryWords all[] = {
        {Collective::broadcast, "every packet down a tree of shortest paths, one behind the other",
         "Every packet goes down a tree of shortest paths, one behind the other, and the trees share links evenly. A "
         "packet takes one tree, so with many packets some of the root's links may have less to do than others.",
         "With one port: every packet down a tree of shortest paths, and in every step the packets with the longest "
         "paths still to go choose first."},
        {Collective::reduce, "the broadcast backwards, sums on the paths",
         "The broadcast on shortest paths read backwards, with sums on the paths.",
         "The one-port broadcast on shortest paths read backwards, with sums on the paths."},
        {Collective::scatter, "shortest paths that share the root's links evenly, the farthest first",
         "Shortest paths that share the root's links evenly; the packets with the farthest to go leave first.",
         "The root sends a packet in every step, the one with the farthest to go first, on shortest paths."},
        {Collective::gather, "the scatter backwards",
         "The scatter on shortest paths read backwards: the root's inbox limits.",
         "The one-port scatter read backwards: one packet reaches the root in every step."},
        {Collective::all_gather, "a tree of shortest paths from every node, the longest paths first",
         "A tree of shortest paths from every node, all at once; on each link the packet with the longest path still "
         "to go comes first. On Cayley graphs one node's schedule, translated, serves all nodes.",
         "With one port: a tree of shortest paths from every node, the longest paths first."},
        {Collective::reduce_scatter, "the all-gather backwards, sums on the paths",
         "The all-gather on shortest paths read backwards, with sums on the paths.",
         "The one-port all-gather on shortest paths read backwards, with sums on the paths."},
        {Collective::all_reduce, "every block is reduced to one node and spread from there, all side by side",
         "Every block is reduced to one node along a tree of shortest paths, and spread from there, all blocks side by "
         "side: the fewest transmissions there can be.",
         "With one port: every block is reduced to one node and spread from there, all side by side."},
        {Collective::send, evenly, evenly_idea, evenly_one_port_idea},
        {Collective::exchange, evenly, evenly_idea, evenly_one_port_idea},
        {Collective::permute, evenly, evenly_idea, evenly_one_port_idea},
    };
    return on_all_ports_and_on_one(all, entry);
}

}  // namespace dcube::detail
