// Scatter: the root's messages reach their nodes. Gather: every node's message reaches the root. m packets a message,
// N = 2^d nodes.
//
//   balanced-tree   all ports   ceil(m(N-1)/d) steps   m d 2^(d-1) transmissions   both optimal
//   balanced-tree   all ports   gather: the scatter, backwards
//
// Idea (Bertsekas et al. 1991, section 3, single node scatter): a tree of shortest paths whose d subtrees under the
// root have floor or ceil((N-1)/d) nodes; every port sends its subtree's packets without a pause, the farthest first.
// If x is the p-th of its subtree to leave, hop h = 0, 1, .. of its path happens in step p + h; its |x| - 1 ancestors
// leave later, so it arrives in time, and a node at distance h meets only one packet a step. Several packets and
// running backwards are not the paper's.
//
// Planning: O(d N) time for the tree, m d 2^(d-1) planned hops (plan_bytes).

#include "algorithms/papers/bertsekas/scatter.hpp"

#include "algorithms/families.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/papers/bertsekas/necklaces.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/plan.hpp"
#include "base/arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

namespace dcube::detail {

namespace {

unsigned level(NodeId node)
{
    return static_cast<unsigned>(std::popcount(node));
}

bool is_farther(NodeId a, NodeId b)
{
    return level(a) > level(b);
}

// The hops of a packet that leaves the root in step `first` and takes this path without a stop.
void append_path(std::vector<Hop>& hops, const std::vector<NodeId>& path, Step first, PacketName packet)
{
    for (std::size_t hop = 0; hop + 1 < path.size(); ++hop) {
        const auto port = static_cast<Port>(std::countr_zero(path[hop] ^ path[hop + 1]));
        hops.push_back({first + static_cast<Step>(hop), path[hop], port, packet});
    }
}

struct Pair {
    NodeId node;
    NodeId parent;
};

// The paper's compatible pair: a member of x's class, and a parent for it whose d rotations differ. The member has
// bit 0 = 1 and bit d-1 = 0, so that no run of 0s wraps round. The parent lacks the 1 below a longest run of 0s; its
// own longest run is then the only one of its length, so no rotation but the full one takes it to itself.
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

// Deals the nodes out to ports 0, 1, .., d-1, 0, .., level by level, classes of rotations side by side.
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
        const Port port = next_port();
        Pair pair{bit(port), 0};
        if (k > 1) {
            pair = compatible(smallest, d_);
            while (tree_.port[pair.parent] != port)  // it ends: the parent's d rotations have all d ports
                rotate(pair);
        }
        const unsigned size = class_size(smallest, d_);
        for (unsigned i = 0; i < size; ++i, rotate(pair))
            append(pair, next_port());
    }

    // Its d neighbours, the rotations of one node, have all d ports.
    void append_all_ones()
    {
        const NodeId ones = bit(d_) - 1;
        const Port port = next_port();
        unsigned missing = 0;
        while (d_ > 1 && tree_.port[ones ^ bit(missing)] != port)
            ++missing;
        append({ones, ones ^ bit(missing)}, port);
    }

    [[nodiscard]] Port next_port() const { return static_cast<Port>(count_ % d_); }

    void append(Pair pair, Port port)
    {
        tree_.parent[pair.node] = pair.parent;
        tree_.port[pair.node] = port;
        ++count_;
    }

    void rotate(Pair& pair) const { pair = {rotated(pair.node, 1 % d_, d_), rotated(pair.parent, 1 % d_, d_)}; }

    unsigned d_;
    std::size_t count_ = 0;
    ScatterTree tree_;
};

// From the root to `node` and on to its image under the rotation by `turn` positions.
std::vector<NodeId> turned_path(const ScatterTree& tree, NodeId node, unsigned turn, unsigned d)
{
    std::vector<NodeId> path;
    for (; node != 0; node = tree.parent[node])
        path.push_back(rotated(node, turn, d));
    path.push_back(0);
    std::ranges::reverse(path);
    return path;
}

// ---- Phases, from the point of view of the root, which sends or receives in every step ----

std::uint64_t number_at(unsigned distance, unsigned d)
{
    return choose(d, distance).convert_to<std::uint64_t>();
}

std::string_view root_moves(Direction direction)
{
    return direction == Direction::forwards ? "The root sends" : "The root receives";
}

// ", after 0011 comes 0110, its bits moved round by one place"
std::string rotation_example(unsigned distance, unsigned d)
{
    const auto first = static_cast<NodeId>(bit(distance) - 1);
    return fmt::format(" (after {:0{}b} comes {:0{}b}, the same bits moved round by one place)", first, d,
                       rotated(first, 1, d), d);
}

// The nodes are dealt out to the ports level by level, and every port sends the farthest first: the steps in which a
// port sends packets for a level's nodes follow from how many nodes of higher levels it was dealt.
Phases level_phases(unsigned d, Direction direction)
{
    std::vector<Step> dealt(d, 0);  // to every port so far, from the farthest on
    Phases phases;
    std::uint64_t after = bit(d) - 1;  // the number of the first node of the level before
    for (unsigned distance = d; distance >= 1; --distance) {
        const std::uint64_t nodes = number_at(distance, d);
        after -= nodes;
        Step first = ~Step{0};
        Step last = 0;
        for (std::uint64_t number = after; number < after + nodes; ++number) {
            Step& port = dealt[number % d];
            first = std::min(first, ++port);
            last = std::max(last, port);
        }
        phases.push_back({first, last, fmt::format("distance {}", distance),
                          fmt::format("{} the packets of {}, dealt out to {} in turn{}; on every port the farthest {}.",
                                      root_moves(direction), nodes_at(distance, d), counted(d, "port"),
                                      nodes == 1 ? "" : rotation_example(distance, d),
                                      direction == Direction::forwards ? "go first" : "come last")});
    }
    return phases;
}

// Of several packets a message: one packet of all messages after the other on every port.
Phases copy_phases(unsigned d, std::uint64_t m, Direction direction)
{
    const std::uint64_t others = bit(d) - 1;
    if (m > most_phases)
        return whole_run(
            ceil_div(m * others, d),
            {"packet by packet",
             fmt::format("{} {} packets of each of the {} messages, over {} ports that have the same share, but "
                         "for one packet.",
                         root_moves(direction), m, others, d)});
    Phases phases;
    for (std::uint64_t copy = 0; copy < m; ++copy)
        phases.push_back({static_cast<Step>(copy * others / d + 1), static_cast<Step>(ceil_div((copy + 1) * others, d)),
                          fmt::format("packet {}", copy + 1),
                          fmt::format("{} packet {} of each of the {} messages, over all ports, on every port the "
                                      "farthest {}.",
                                      root_moves(direction), copy + 1, others,
                                      direction == Direction::forwards ? "first" : "last")});
    return phases;
}

}  // namespace

ScatterTree scatter_tree(unsigned d)
{
    return BalancedTree(d).take();
}

// Copy c uses the tree rotated by c rho positions, rho = (N-1) mod d: the rho larger subtrees move round the ports, so
// that after every copy the ports' loads differ by at most one.
Schedule scatter_schedule(const Topology& topology, std::uint32_t packets)
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
        std::ranges::stable_sort(subtree, is_farther);

    const unsigned rho = (bit(d) - 1) % d;
    std::vector<Step> sent(d, 0);  // by the root over every port
    for (std::uint32_t copy = 0; copy < packets; ++copy) {
        const auto turn = static_cast<unsigned>(std::uint64_t{copy} * rho % d);
        for (Port subtree = 0; subtree < d; ++subtree) {
            for (const NodeId node : subtrees[subtree]) {
                const std::vector<NodeId> path = turned_path(tree, node, turn, d);
                append_path(schedule.hops, path, ++sent[(subtree + turn) % d], {0, path.back(), copy});
            }
        }
    }
    schedule.steps = *std::ranges::max_element(sent);
    return schedule;
}

// A packet rests in a node for two steps, the one in which it is sent on and the one in which it is read.
std::uint64_t scatter_storage(const Topology& topology, const Problem& problem)
{
    const std::uint64_t slots = std::uint64_t{2} * topology.dimension() * topology.nodes();
    return plan_bytes(problem.packets * topology.status(0)) + slots * problem.bytes;
}

namespace {

Entry balanced_tree_entry(Entry head)
{
    head = costed_by_formula(std::move(head));
    head.storage = scatter_storage;
    head.phases = [cost = head.cost](const Topology& topology, const Problem& problem) {
        const unsigned d = topology.dimension();
        if (d == 0)
            return Phases();
        const Direction direction = direction_of(problem.collective);
        Phases phases = problem.packets == 1 ? level_phases(d, direction) : copy_phases(d, problem.packets, direction);
        return direction == Direction::forwards ? phases : mirrored(std::move(phases), cost(topology, problem).steps);
    };
    return plan_entry(std::move(head), [](const Topology& topology, const Problem& problem) {
        return in_direction_of(problem.collective, topology,
                               scatter_schedule(topology, static_cast<std::uint32_t>(problem.packets)));
    });
}

}  // namespace

std::vector<Entry> scatter_family()
{
    constexpr std::string_view section = "Bertsekas et al. 1991, section 3";
    return {
        balanced_tree_entry(
            {{.collective = Collective::scatter, .name = "balanced-tree"},
             {.aliases = {"optimal"},
              .paper = section,
              .origin = Origin::paper,
              .summary = "a perfectly balanced tree of shortest paths, the farthest nodes first",
              .idea = "What limits is the root: N - 1 packets and d links. So every packet goes down a tree "
                      "of shortest paths whose d subtrees are as equal as can be, and each link of the root "
                      "sends its subtree's packets without a pause, the farthest first. In a binomial tree "
                      "one subtree has half of all nodes. Nodes that are rotations of each other are dealt "
                      "out to the ports one by one, which makes the subtrees equal.",
              .formula = {.steps = "ceil(m (N - 1)/d)", .transmissions = "m d 2^(d - 1)"},
              .paper_note = "Bertsekas et al. prove ceil((N - 1)/d) steps and d 2^(d-1) transmissions in "
                            "section 3 and Table I, for one packet a node: that is this. m packets a node, "
                            "with the tree rotated from one to the next, are dcube's. The \"longest run of "
                            "0s\" by which a node finds its parent must not wrap round (errata, 15)."}}),
        balanced_tree_entry(
            {{.collective = Collective::gather, .name = "balanced-tree"},
             {.aliases = {"optimal"},
              .paper = section,
              .origin = Origin::refinement,
              .summary = "the optimal scatter, backwards",
              .idea = "The scatter in d equal subtrees read backwards: every link into the root is busy in "
                      "every step but perhaps the first. The root's inbox is what limits.",
              .formula = {.steps = "ceil(m (N - 1)/d)", .transmissions = "m d 2^(d - 1)"},
              .paper_note = "Bertsekas et al. say in section 1 that a gather is a scatter backwards; the "
                            "schedule of section 3, reversed, is this."}}),
    };
}

}  // namespace dcube::detail
