// Collectives on any network by shortest ways and list scheduling (routes.hpp). m packets a message; on Cayley graphs
// all-gather, reduce-scatter and all-reduce of whole shares are one node's schedule, translated.
//
//   broadcast       m trees from the root             reduce           the same, backwards, sums on the way
//   scatter         a path for every packet           gather           the same, backwards
//   all-gather      a tree from every node, m times   reduce-scatter   the same, backwards, sums on the way
//   all-reduce      a tree for every block of the vector: reduced to its root, then spread from there
//   send, exchange, permute   a path for every packet

#include "algorithms/any_network/shortest_path_trees.hpp"
#include "algorithms/families.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/plan.hpp"

#include "base/arithmetic.hpp"
#include "base/memo.hpp"

#include "base/arithmetic.hpp"

#include <fmt/format.h>

#include <memory>
#include <numeric>
#include <vector>

namespace dcube::detail {

namespace {

// More would take gigabytes for the plan alone.
constexpr double most_planned_hops = 1 << 24;

bool goes_backwards(Collective collective)
{
    return collective == Collective::reduce || collective == Collective::gather ||
           collective == Collective::reduce_scatter;
}

bool is_all_gather(Collective collective)
{
    return collective == Collective::all_gather || collective == Collective::reduce_scatter;
}

// Whether one node's schedule is everybody's. Blocks of an all-reduce must be as many for each node, so that the last
// share has no more than a few that are missing.
bool is_translated(const Topology& topology, const Problem& problem)
{
    const bool shares = problem.collective == Collective::all_reduce && problem.packets >= topology.nodes();
    return topology.symmetric() && (is_all_gather(problem.collective) || shares);
}

std::vector<Route> trees(Router& router, const Topology& topology, const Problem& problem)
{
    std::vector<Route> routes;
    const auto packets = static_cast<std::uint32_t>(problem.packets);
    if (is_all_gather(problem.collective)) {  // once for every packet of a message
        for (NodeId origin = 0; origin < topology.nodes(); ++origin)
            routes.push_back(router.tree(origin, {origin, origin, 0}));
    } else if (problem.collective == Collective::all_reduce) {
        for (std::uint32_t block = 0; block < packets; ++block) {
            const NodeId owner = block % topology.nodes();
            routes.push_back(router.tree(owner, {owner, owner, block / topology.nodes()}));
        }
    } else {  // broadcast, reduce
        for (std::uint32_t copy = 0; copy < packets; ++copy)
            routes.push_back(router.tree(problem.root, {problem.root, problem.root, copy}));
    }
    return routes;
}

// Farthest first, so that those with few ways to choose from are balanced by the others.
std::vector<NodeId> farthest_first(const Topology& topology, NodeId root)
{
    std::vector<NodeId> nodes(topology.nodes());
    std::iota(nodes.begin(), nodes.end(), NodeId{0});
    std::ranges::stable_sort(nodes, {}, [&](NodeId node) { return -static_cast<int>(topology.distance(root, node)); });
    return nodes;
}

std::vector<Route> paths(Router& router, const Topology& topology, const Problem& problem)
{
    std::vector<Route> routes;
    const auto add = [&](NodeId from, NodeId to) {
        for (std::uint32_t copy = 0; from != to && copy < problem.packets; ++copy)
            routes.push_back(router.path(from, to, {from, to, copy}));
    };
    if (has_permutation(problem.collective)) {
        for (NodeId node = 0; node < topology.nodes(); ++node)
            add(node, problem.permutation[node]);
    } else if (has_peer(problem.collective)) {
        add(problem.root, problem.peer);
        if (problem.collective == Collective::exchange)
            add(problem.peer, problem.root);
    } else {  // scatter, gather
        for (const NodeId node : farthest_first(topology, problem.root))
            add(problem.root, node);
    }
    return routes;
}

bool has_trees(Collective collective)
{
    return collective == Collective::broadcast || is_reduction(collective) || is_all_gather(collective);
}

// There, or with sums that are added on the way, back.
Schedule one_way(const Topology& topology, const Problem& problem, PortModel ports)
{
    const Symmetry symmetry = is_translated(topology, problem) ? Symmetry::translated : Symmetry::none;
    Router router(topology, ports, symmetry);
    if (symmetry == Symmetry::translated)
        return schedule_routes(topology, ports, symmetry, {router.tree(0, {0, 0, 0})});
    return schedule_routes(topology, ports, symmetry,
                           has_trees(problem.collective) ? trees(router, topology, problem)
                                                         : paths(router, topology, problem));
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

Schedule routed(const Topology& topology, const Problem& problem, PortModel ports)
{
    Schedule there = one_way(topology, problem, ports);
    if (problem.collective == Collective::all_reduce) {
        if (there.symmetry == Symmetry::translated)
            there = repeated(there, static_cast<std::uint32_t>(ceil_div(problem.packets, topology.nodes())));
        return followed_by(reversed(topology, there, Arrival::added), there);
    }
    if (!goes_backwards(problem.collective))
        return there;
    return reversed(topology, there, is_reduction(problem.collective) ? Arrival::added : Arrival::kept);
}

// What a schedule depends on.
struct Question {
    Topology topology;
    PortModel ports;
    Collective collective;
    std::size_t packets;
    NodeId root;
    NodeId peer;
    std::vector<NodeId> permutation;

    friend bool operator==(const Question&, const Question&) = default;
};

std::shared_ptr<const Schedule> schedule_of(const Topology& topology, Problem problem, PortModel ports)
{
    static Memo<Question, Schedule> kept(16);
    if (is_all_gather(problem.collective))
        problem.packets = 1;
    return kept.get(
        {topology, ports, problem.collective, problem.packets, problem.root, problem.peer, problem.permutation},
        [&] { return routed(topology, problem, ports); });
}

// How often the plan is walked.
std::uint32_t rounds(const Problem& problem)
{
    return is_all_gather(problem.collective) ? static_cast<std::uint32_t>(problem.packets) : 1;
}

// All nodes' hops, without the plan's rounds.
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
    case Collective::matrix_relayout: break;  // at most: every node has one message
    }
    return packets * (others + 1) * topology.diameter();
}

double planned_hops(const Topology& topology, const Problem& problem)
{
    return hops(topology, problem) / (is_translated(topology, problem) ? topology.nodes() : 1);
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
    const std::shared_ptr<const Schedule> schedule = schedule_of(topology, problem, ports);
    const std::uint64_t times = rounds(problem);
    if (schedule->symmetry == Symmetry::translated)
        return {times * schedule->steps, problem.collective == Collective::all_reduce
                                             ? 2 * problem.packets * (topology.nodes() - 1)
                                             : times * schedule->hops.size() * topology.nodes()};
    return {times * schedule->steps, times * schedule->hops.size()};
}

std::size_t storage(const Topology& topology, const Problem& problem)
{
    constexpr double a_hop = 2 * sizeof(Action) + 3 * sizeof(Hop) + sizeof(Route::Edge);
    const double in_transit = hops(topology, problem) * static_cast<double>(problem.bytes);
    return static_cast<std::size_t>(planned_hops(topology, problem) * a_hop + in_transit);
}

CollectiveProgram prepare(const Topology& topology, const Problem& problem, PortModel ports)
{
    const auto plan =
        std::make_shared<const Plan>(topology, problem, *schedule_of(topology, problem, ports), rounds(problem));
    return [plan](Node& me, NodeData data) { return run_plan(me, *plan, data); };
}

Algorithm entry(Collective collective, PortModel ports, std::string_view summary)
{
    Algorithm algorithm = titled(collective, ports == PortModel::all ? "shortest-paths" : "shortest-paths-one", {},
                                 "well known: shortest ways, list scheduling", summary);
    algorithm.ports = ports;
    algorithm.networks = is_point_to_point(collective) ? Networks::products : Networks::no_hypercubes;
    algorithm.obstacle = obstacle;
    algorithm.cost = [ports](const Topology& topology, const Problem& problem) {
        return cost(topology, problem, ports);
    };
    algorithm.storage = storage;
    algorithm.prepare = [ports](const Topology& topology, const Problem& problem) {
        return prepare(topology, problem, ports);
    };
    return algorithm;
}

}  // namespace

std::vector<Algorithm> routed_family()
{
    constexpr std::pair<Collective, std::string_view> summaries[] = {
        {Collective::broadcast, "every packet down a tree of shortest ways, one behind the other"},
        {Collective::reduce, "the broadcast backwards, sums on the way"},
        {Collective::scatter, "shortest ways that share the root's links evenly, the farthest first"},
        {Collective::gather, "the scatter backwards"},
        {Collective::all_gather, "a tree of shortest ways from every node, the longest ways first"},
        {Collective::reduce_scatter, "the all-gather backwards, sums on the way"},
        {Collective::all_reduce, "every block is reduced to one node and spread from there, all side by side"},
        {Collective::send, "every packet on a shortest way, all such ways used evenly"},
        {Collective::exchange, "every packet on a shortest way, all such ways used evenly"},
        {Collective::permute, "every packet on a shortest way, all such ways used evenly"},
    };
    std::vector<Algorithm> family;
    for (const auto& [collective, summary] : summaries)
        for (const PortModel ports : {PortModel::all, PortModel::one})
            family.push_back(entry(collective, ports, summary));
    return family;
}

}  // namespace dcube::detail
