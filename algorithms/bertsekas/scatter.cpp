// Scatter: the root's messages reach their nodes. Gather: every node's message reaches the root.
// Bertsekas et al. 1991, section 3 (single node scatter), and its reversal. m packets a message.
//
//   balanced-tree    all ports   ceil(m(N-1)/d) steps   m d 2^(d-1) transmissions   both optimal
//   farthest-first   one port    m(N-1) steps           m d 2^(d-1) transmissions   both optimal

#include "algorithms/bertsekas/scatter.hpp"

#include "algorithms/bertsekas/necklaces.hpp"

#include "algorithms/families.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/plan.hpp"

#include <algorithm>
#include <bit>
#include <memory>

namespace dcube::detail {

namespace {

unsigned level(NodeId node)
{
    return static_cast<unsigned>(std::popcount(node));
}

struct Pair {
    NodeId node;
    NodeId parent;
};

// Paper section 3: a member of x's class and a parent for it whose d rotations differ, so that they can carry all
// ports. The member has bit 0 = 1 and bit d-1 = 0, so that no run of 0s wraps round; the parent lacks the 1 below a
// longest run.
Pair compatible(NodeId x, unsigned d)
{
    while (!has_bit(x, 0) || has_bit(x, d - 1))
        x = rotated(x, 1, d);
    unsigned longest = 0;
    unsigned below_longest = 0;
    unsigned last_one = 0;
    for (unsigned position = 1; position <= d; ++position) {
        if (position < d && !has_bit(x, position))
            continue;
        if (position - last_one - 1 > longest) {
            longest = position - last_one - 1;
            below_longest = last_one;
        }
        last_one = position;
    }
    return {x, x ^ bit(below_longest)};
}

class BalancedTree {
public:
    explicit BalancedTree(unsigned d) : d_(d), tree_{std::vector<NodeId>(bit(d)), std::vector<Port>(bit(d))}
    {
        for (unsigned k = 1; k < d; ++k)
            for (const NodeId smallest : classes_of_level(k, d))
                append_class(k, smallest);
        if (d > 0)
            append_all_ones();
    }

    [[nodiscard]] ScatterTree take() { return std::move(tree_); }

private:
    void append_class(unsigned k, NodeId smallest)
    {
        const auto port = static_cast<Port>(count_ % d_);
        Pair pair{bit(port), 0};
        if (k > 1)
            for (pair = compatible(smallest, d_); tree_.port[pair.parent] != port;)
                rotate(pair);
        const unsigned size = class_size(smallest, d_);
        for (unsigned i = 0; i < size; ++i, rotate(pair))
            append(pair, static_cast<Port>(count_ % d_));
    }

    void append_all_ones()
    {
        const NodeId ones = bit(d_) - 1;
        const auto port = static_cast<Port>(count_ % d_);
        unsigned missing = 0;
        while (d_ > 1 && tree_.port[ones ^ bit(missing)] != port)
            ++missing;
        append({ones, ones ^ bit(missing)}, port);
    }

    void append(Pair pair, Port port)
    {
        tree_.parent[pair.node] = pair.parent;
        tree_.port[pair.node] = port;
        ++count_;
    }

    void rotate(Pair& pair) const { pair = {rotated(pair.node, 1 % d_, d_), rotated(pair.parent, 1 % d_, d_)}; }

    unsigned d_;
    std::uint64_t count_ = 0;
    ScatterTree tree_;
};

// The hops of a packet that leaves the root in step `first` and comes to x by way of its ancestors, without a stop.
void append_path(std::vector<Hop>& hops, const std::vector<NodeId>& path, Step first, PacketName packet)
{
    for (std::size_t hop = 0; hop + 1 < path.size(); ++hop) {
        const auto port = static_cast<Port>(std::countr_zero(path[hop] ^ path[hop + 1]));
        hops.push_back({first + static_cast<Step>(hop), path[hop], port, packet});
    }
}

// Every port sends its subtree, the farthest nodes first. Copy c uses the tree rotated by c rho positions, rho = (N-1)
// mod d, so that the larger subtrees move round the ports and all ports end together.
Schedule balanced_tree(const Topology& topology, std::uint32_t packets)
{
    const unsigned d = topology.dimension();
    Schedule schedule{Symmetry::rooted, 0, {}};
    if (d == 0)
        return schedule;
    const ScatterTree tree = scatter_tree(d);
    std::vector<std::vector<NodeId>> subtrees(d);
    for (NodeId node = 1; node < bit(d); ++node)
        subtrees[tree.port[node]].push_back(node);
    for (std::vector<NodeId>& subtree : subtrees)
        std::stable_sort(subtree.begin(), subtree.end(), [](NodeId a, NodeId b) { return level(a) > level(b); });

    std::vector<Step> sent(d, 0);  // by the root over every port
    for (std::uint32_t copy = 0; copy < packets; ++copy) {
        const auto turn = static_cast<unsigned>(std::uint64_t{copy} * (bit(d) - 1) % d);
        for (Port subtree = 0; subtree < d; ++subtree) {
            for (const NodeId node : subtrees[subtree]) {
                std::vector<NodeId> path;
                for (NodeId at = node; at != 0; at = tree.parent[at])
                    path.insert(path.begin(), rotated(at, turn, d));
                path.insert(path.begin(), 0);
                append_path(schedule.hops, path, ++sent[(subtree + turn) % d], {0, path.back(), copy});
            }
        }
    }
    schedule.steps = *std::max_element(sent.begin(), sent.end());
    return schedule;
}

// The root sends a packet a step, the farthest first, by way of the lowest bits first; a node at distance h only
// receives in the step s + h - 1 for the one packet of step s that passes it.
Schedule farthest_first(const Topology& topology, std::uint32_t packets)
{
    std::vector<NodeId> nodes;
    for (NodeId node = 1; node < topology.nodes(); ++node)
        nodes.push_back(node);
    std::stable_sort(nodes.begin(), nodes.end(), [](NodeId a, NodeId b) { return level(a) > level(b); });

    Schedule schedule{Symmetry::rooted, 0, {}};
    for (const NodeId node : nodes) {
        std::vector<NodeId> path{0};
        for (NodeId left = node; left != 0; left &= left - 1)
            path.push_back(path.back() | (left & ~(left - 1)));
        for (std::uint32_t copy = 0; copy < packets; ++copy)
            append_path(schedule.hops, path, ++schedule.steps, {0, node, copy});
    }
    return schedule;
}

// A packet rests in a node for two steps, the one in which it is sent on and the one in which it is read.
std::size_t storage(const Topology& topology, const Problem& problem)
{
    const std::size_t hops = problem.packets * topology.dimension() * (topology.nodes() / 2);
    const std::size_t slots = std::size_t{2} * topology.dimension() * topology.nodes() * problem.bytes;
    return hops * (2 * sizeof(Action) + 3 * sizeof(Hop)) + slots;
}

CollectiveProgram prepare(const Topology& topology, const Problem& problem, PortModel ports)
{
    Schedule schedule = scatter_schedule(topology, ports, static_cast<std::uint32_t>(problem.packets));
    if (problem.collective == Collective::gather)
        schedule = reversed(topology, schedule, Arrival::kept);
    const auto plan = std::make_shared<const Plan>(topology, problem, schedule);
    return [plan](Node& me, NodeData data) { return run_plan(me, *plan, data); };
}

Algorithm entry(Collective collective, PortModel ports, std::string_view name, std::vector<std::string_view> aliases,
                std::string_view paper, std::string_view summary)
{
    return {
        .collective = collective,
        .name = name,
        .aliases = std::move(aliases),
        .paper = paper,
        .summary = summary,
        .ports = ports,
        .cost =
            [ports](const Topology& topology, const Problem& problem) {
                const std::uint64_t packets = problem.packets * (topology.nodes() - 1);
                const std::uint64_t distances = std::uint64_t{topology.dimension()} * topology.nodes() / 2;
                return Cost{ports == PortModel::all ? steps_over_links(packets, topology) : packets,
                            problem.packets * distances};
            },
        .storage = storage,
        .prepare = [ports](const Topology& topology,
                           const Problem& problem) { return prepare(topology, problem, ports); },
    };
}

}  // namespace

ScatterTree scatter_tree(unsigned d)
{
    return BalancedTree(d).take();
}

Schedule scatter_schedule(const Topology& topology, PortModel ports, std::uint32_t packets)
{
    return ports == PortModel::all ? balanced_tree(topology, packets) : farthest_first(topology, packets);
}

std::vector<Algorithm> scatter_family()
{
    return {
        entry(Collective::scatter, PortModel::one, "farthest-first", {}, "Bertsekas et al. 1991, section 1 (one port)",
              "a packet a step, the farthest nodes first"),
        entry(Collective::scatter, PortModel::all, "balanced-tree", {"optimal"}, "Bertsekas et al. 1991, section 3",
              "a perfectly balanced tree of shortest paths, the farthest nodes first"),
        entry(Collective::gather, PortModel::one, "nearest-first", {}, "Bertsekas et al. 1991, section 1 (one port)",
              "scatter farthest-first, backwards"),
        entry(Collective::gather, PortModel::all, "balanced-tree", {"optimal"}, "Bertsekas et al. 1991, section 3",
              "the optimal scatter, backwards"),
    };
}

}  // namespace dcube::detail
