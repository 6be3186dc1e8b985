// joined-trees: all-gather, reduce-scatter, all-reduce, scatter and gather on any network whose links take time, by few
// and large packets: all that is due on a link in a stage goes as one packet, and so pays for one start-up. m bytes per
// message, n nodes, D the diameter.
//
//   scatter, gather              shortest paths, the farthest messages first                            at most D
//   stages all-gather, reduce-scatter   such a tree from every node, all side by side                          D stages
//   all-reduce                   a share of the vector for every node: reduce-scatter, then all-gather  2 D stages
//
// For short messages, where start-ups are what counts. Time: D beta, and tau times the bytes of the largest packets one
// after the other, at least m (n-1)/ports; found by walking through the packets. Trees share the links evenly.
//
// Planning: a table of all packets, at most n (n-1) pieces, and for scatters as many as all distances together.

#include "algorithms/beyond/any_network/shortest_path_trees.hpp"
#include "algorithms/families.hpp"
#include "algorithms/programs/cut.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/plan.hpp"
#include "base/memo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

// Trees that share the links evenly; of the members, by their numbers.
std::shared_ptr<const std::vector<PacketTree>> trees_from_all(const Topology& members)
{
    static Memo<Topology, std::vector<PacketTree>> kept(4);
    return kept.get(members, [&] {
        LeastUsedPaths paths(members, PortModel::all, Symmetry::none);
        std::vector<PacketTree> trees;
        for (NodeId root = 0; root < members.nodes(); ++root)
            trees.push_back(paths.tree(root, {root, root, 0}));
        return trees;
    });
}

// The distance of each edge's beginning from its root.
std::vector<Step> depths(const PacketTree& tree)
{
    std::vector<Step> all;
    for (const PacketTree::Edge& edge : tree.edges())
        all.push_back(edge.parent == PacketTree::none ? 0 : all[edge.parent] + 1);
    return all;
}

// Fragments that cross the edges of trees, from the roots on or towards them.
class JoinedPackets {
public:
    JoinedPackets(const Topology& topology, Direction direction, Step stages)
        : topology_(topology), members_(topology.of_members()), direction_(direction), stages_(stages), table_(topology)
    {
    }

    void add(const PacketTree::Edge& edge, Step depth, const Fragment& fragment)
    {
        if (direction_ == Direction::forwards)
            table_.add(depth, topology_.member(edge.from), edge.port, fragment);
        else
            table_.add(stages_ - 1 - depth, topology_.member(members_.neighbour(edge.from, edge.port)),
                       members_.arrival_port(edge.from, edge.port), fragment);
    }

    Routing routing(Arrival arrival) &&
    {
        Routing routing = std::move(table_).routing();
        routing.stages = stages_;
        if (arrival == Arrival::added)
            routing.adding_stages = routing.giving_stages = stages_;
        return routing;
    }

private:
    const Topology& topology_;
    const Topology& members_;
    Direction direction_;
    Step stages_;
    RoutingTable table_;
};

// The share that node `root` has for all, or that all have for it.
using ShareOf = std::function<Fragment(NodeId root)>;

Routing over_all_trees(const Topology& topology, Direction direction, Arrival arrival, const ShareOf& share_of)
{
    const auto trees = trees_from_all(topology.of_members());
    std::vector<Fragment> shares;
    std::vector<std::vector<Step>> depth;
    Step stages = 0;
    for (NodeId number = 0; number < trees->size(); ++number) {
        shares.push_back(share_of(topology.member(number)));
        depth.push_back(depths((*trees)[number]));
        if (shares.back().length > 0 && !depth.back().empty())
            stages = std::max(stages, std::ranges::max(depth.back()) + 1);
    }
    JoinedPackets packets(topology, direction, stages);
    for (NodeId number = 0; number < trees->size(); ++number)
        for (std::size_t i = 0; i < depth[number].size() && shares[number].length > 0; ++i)
            packets.add((*trees)[number].edges()[i], depth[number][i], shares[number]);
    return std::move(packets).routing(arrival);
}

Routing joined_all_gather(const Topology& topology, const Problem& problem)
{
    return over_all_trees(topology, Direction::forwards, Arrival::kept, [&](NodeId origin) {
        return Fragment{message_number(problem, topology, origin, 0), 0, message_bytes(problem)};
    });
}

Routing joined_reduce_scatter(const Topology& topology, const Problem& problem)
{
    return over_all_trees(topology, Direction::backwards, Arrival::added, [&](NodeId target) {
        return Fragment{message_number(problem, topology, 0, target), 0, message_bytes(problem)};
    });
}

Routing joined_all_reduce(const Topology& topology, const Problem& problem)
{
    const std::size_t unit = unit_of(problem);
    const BalancedCut shares(message_bytes(problem) / unit, topology.members());
    const ShareOf share_of = [&](NodeId node) {
        const Stretch share = shares(topology.member_number(node));
        return Fragment{0, share.offset * unit, share.length * unit};
    };
    Routing sums = over_all_trees(topology, Direction::backwards, Arrival::added, share_of);
    const Step giving = sums.giving_stages;
    Routing all = followed_by(std::move(sums), over_all_trees(topology, Direction::forwards, Arrival::kept, share_of));
    all.giving_stages = giving;
    return all;
}

// Scatter: shortest paths that share the links evenly; the farthest messages leave first, so that all arrive in the
// last stage.
Routing joined_scatter(const Topology& topology, const Problem& problem, Direction direction)
{
    const Topology& members = topology.of_members();
    const NodeId root = topology.member_number(problem.root);
    const auto distance = [&](NodeId number) { return members.distance(root, number); };
    std::vector<NodeId> nearest_first(members.nodes());
    std::iota(nearest_first.begin(), nearest_first.end(), NodeId{0});
    std::ranges::stable_sort(nearest_first, {}, distance);
    const Step stages = distance(nearest_first.back());
    LeastUsedPaths paths(members, PortModel::all, Symmetry::none);
    JoinedPackets packets(topology, direction, stages);
    for (const NodeId number : nearest_first) {
        const NodeId node = topology.member(number);
        const Fragment message{message_number(problem, topology, node, node), 0, message_bytes(problem)};
        const PacketTree path = paths.path(root, number, {root, number, 0});
        Step stage = stages - distance(number);
        for (const PacketTree::Edge& edge : path.edges())
            packets.add(edge, stage++, message);
    }
    return std::move(packets).routing(Arrival::kept);
}

// About how many stretches the packets consist of.
double joined_pieces(const Topology& topology, const Problem& problem)
{
    if (has_root(problem.collective))
        return static_cast<double>(topology.status(problem.root));
    const double n = topology.members();
    return problem.collective == Collective::all_reduce ? 2 * n * n : n * n;
}

Phases joined_phases(std::uint64_t stages, const std::string& sentence, Direction direction)
{
    return numbered_phases(stages, 1,
                           [&](std::uint64_t stage) {
                               const std::uint64_t hops = direction == Direction::forwards ? stage + 1 : stages - stage;
                               return PhaseText{counted(hops, "hop"), fmt::format("{}: {} from the roots of the trees.",
                                                                                  sentence, counted(hops, "hop"))};
                           },
                           {"all hops", sentence + "."});
}

Phases scatter_phases(const Topology& topology, const Problem& problem, Direction direction)
{
    const std::uint64_t far = joined_scatter(topology, problem, direction).stages;
    return numbered_phases(
        far, 1,
        [&](std::uint64_t stage) {
            return direction == Direction::forwards
                       ? PhaseText{fmt::format("distance {}", far - stage),
                                   fmt::format("The messages for the nodes {} away leave the root; those before them "
                                               "move on, all that is due on a link as one packet.",
                                               counted(far - stage, "hop"))}
                       : PhaseText{fmt::format("distance {}", stage + 1),
                                   fmt::format("The messages of the nodes {} away reach the root; all others come "
                                               "nearer, all that is due on a link as one packet.",
                                               counted(stage + 1, "hop"))};
        },
        {"all distances", "Messages move along shortest paths, all that is due on a link as one packet."});
}

struct JoinedWords {
    Collective collective;
    std::string_view summary;
    std::string_view idea;
    Routing (*routing)(const Topology& topology, const Problem& problem);
    Phases (*phases)(const Topology& topology, const Problem& problem);
};

Entry joined_trees_entry(const JoinedWords& words)
{
    return routing_entry({{.collective = words.collective,
                           .name = "joined-trees",
                           .link = LinkKind::link_bound,
                           .networks = Networks::no_hypercubes,
                           .same_bits = words.collective == Collective::all_reduce,
                           .obstacle = [](const Topology& topology, const Problem& problem) -> std::string {
                               if (topology.is_hypercube())
                                   return "it is for networks that are no hypercubes";
                               return too_many_hops(joined_pieces(topology, problem), most_walked);
                           }},
                          {.paper = "textbook: combining messages",
                           .origin = Origin::dcube,
                           .summary = words.summary,
                           .idea = words.idea,
                           .formula = {.words = "start-ups as many as hops, and the bytes of the largest packets"},
                           .paper_note = "In none of the papers, whose algorithms for such links are for hypercubes.",
                           .planning_work =
                               [](const Topology& topology, const Problem& problem) {
                                   return static_cast<std::uint64_t>(20 * joined_pieces(topology, problem));
                               },
                           .phases = words.phases}},
                         words.routing, {.pieces = joined_pieces});
}

}  // namespace

std::vector<Entry> joined_trees_family()
{
    using enum Direction;
    constexpr std::string_view by_hops = "Along shortest paths, which share the links evenly, the messages for the "
                                         "farthest nodes leave first. All that is due on a link at "
                                         "the same time goes as one packet: as few start-ups as hops.";
    const JoinedWords all[] = {
        {Collective::scatter, "shortest paths, the farthest first, all that is due on a link as one packet", by_hops,
         [](const Topology& topology, const Problem& problem) { return joined_scatter(topology, problem, forwards); },
         [](const Topology& topology, const Problem& problem) { return scatter_phases(topology, problem, forwards); }},
        {Collective::gather, "the scatter backwards",
         "The scatter backwards: the nearest messages come first, and what is due on a link goes as one packet.",
         [](const Topology& topology, const Problem& problem) { return joined_scatter(topology, problem, backwards); },
         [](const Topology& topology, const Problem& problem) { return scatter_phases(topology, problem, backwards); }},
        {Collective::all_gather, "a tree of shortest paths from every node, all that is due on a link as one packet",
         "Every message spreads along its own tree of shortest paths, which share the links evenly. What crosses a "
         "link after the same number of hops goes as one packet: as few start-ups as hops.",
         joined_all_gather,
         [](const Topology& topology, const Problem&) {
             return joined_phases(topology.diameter(),
                                  "Every link carries, as one packet, the messages whose trees cross it now", forwards);
         }},
        {Collective::reduce_scatter, "the all-gather backwards, sums on the way",
         "The all-gather backwards: the sums for one node come along its tree, added on the way.",
         joined_reduce_scatter,
         [](const Topology& topology, const Problem&) {
             return joined_phases(topology.diameter(),
                                  "Every link carries, as one packet, the partial sums whose trees cross it now",
                                  backwards);
         }},
        {Collective::all_reduce, "shares are summed up along the trees of their nodes, and spread along them again",
         "Every node has a share of the vector: its sum comes along a tree of shortest paths and goes back along it. "
         "All trees work side by side, and what is due on a link goes as one packet.",
         joined_all_reduce,
         [](const Topology& topology, const Problem& problem) {
             const std::uint64_t far = joined_all_reduce(topology, problem).stages / 2;
             const Phases up = joined_phases(
                 far, "The partial sums of every share move towards its node, added on the way", backwards);
             const Phases down = joined_phases(far, "The sum of every share spreads from its node", forwards);
             return followed_by(part_of("up", up), far, part_of("down", down));
         }},
    };
    std::vector<Entry> family;
    for (const JoinedWords& words : all)
        family.push_back(joined_trees_entry(words));
    return family;
}

}  // namespace dcube::detail
