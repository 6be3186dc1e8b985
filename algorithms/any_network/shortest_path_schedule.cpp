#include "algorithms/any_network/shortest_path_schedule.hpp"

#include "algorithms/any_network/shortest_path_trees.hpp"
#include "algorithms/programs/kept_schedule.hpp"
#include "algorithms/programs/schedule_question.hpp"
#include "base/arithmetic.hpp"
#include "base/memo.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

namespace dcube::detail {

namespace {

bool goes_backwards(Collective collective)
{
    return collective == Collective::reduce || collective == Collective::gather ||
           collective == Collective::reduce_scatter;
}

bool is_all_gather(Collective collective)
{
    return collective == Collective::all_gather || collective == Collective::reduce_scatter;
}

bool has_trees(Collective collective)
{
    return collective == Collective::broadcast || is_reduction(collective) || is_all_gather(collective);
}

std::vector<PacketTree> trees(LeastUsedPaths& paths, const Topology& topology, const Problem& problem)
{
    std::vector<PacketTree> trees;
    const auto packets = static_cast<std::uint32_t>(problem.packets);
    if (is_all_gather(problem.collective)) {  // once for every packet of a message
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
    if (!goes_backwards(problem.collective))
        return there;
    return reversed(topology, there, is_reduction(problem.collective) ? Arrival::added : Arrival::kept);
}

}  // namespace

std::shared_ptr<const Schedule> shortest_path_schedule(const Topology& topology, const Problem& problem,
                                                       PortModel ports)
{
    static Memo<ScheduleQuestion, Schedule> kept(16);
    const std::size_t packets = is_all_gather(problem.collective) ? 1 : problem.packets;
    const ScheduleQuestion question{topology,     ports,        problem.collective, packets,
                                    problem.root, problem.peer, problem.permutation};
    return kept.get(question, [&] {
        return kept_schedule("shortest-paths", shortest_path_work(topology, problem), question,
                             [&] { return make_schedule(topology, problem, ports); });
    });
}

std::uint32_t shortest_path_rounds(const Topology&, const Problem& problem)
{
    return is_all_gather(problem.collective) ? static_cast<std::uint32_t>(problem.packets) : 1;
}

// Blocks of an all-reduce must be as many for each node, so that the last share has no more than a few that are
// missing.
bool has_translated_paths(const Topology& topology, const Problem& problem)
{
    const bool shares = problem.collective == Collective::all_reduce && problem.packets >= topology.nodes();
    return topology.symmetric() && (is_all_gather(problem.collective) || shares);
}

}  // namespace dcube::detail
