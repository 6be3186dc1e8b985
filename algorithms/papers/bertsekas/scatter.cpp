// Scatter: the root's messages reach their nodes. Gather: every node's message reaches the root. m packets per message,
// N = 2^d nodes.
//
//   balanced-tree   all ports   ceil(m(N-1)/d) steps   m d 2^(d-1) transmissions   both optimal
//   balanced-tree   all ports   gather: the scatter, backwards
//
// Idea (Bertsekas et al. 1991, section 3, single node scatter): a tree of shortest paths whose d subtrees under the
// root have floor or ceil((N-1)/d) nodes; every port sends its subtree's packets without a pause, the farthest first.
// If x is the p-th of its subtree to leave, hop h = 0, 1, .. of its path happens in step p + h; its |x| - 1 ancestors
// leave later, so it arrives in time, and a node at distance h meets only one packet per step. Several packets and
// running backwards are not the paper's.
//
// Planning: O(d N) time for the tree, m d 2^(d-1) planned hops (plan_bytes).

#include "algorithms/papers/bertsekas/scatter.hpp"

#include "algorithms/papers/bertsekas/necklaces.hpp"
#include "algorithms/programs/cube.hpp"

#include <algorithm>
#include <bit>
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

// The path from the root to `node` and on to its image under the rotation by `turn` positions.
std::vector<NodeId> turned_path(const ScatterTree& tree, NodeId node, unsigned turn, unsigned d)
{
    std::vector<NodeId> path;
    for (; node != 0; node = tree.parent[node])
        path.push_back(rotated(node, turn, d));
    path.push_back(0);
    std::ranges::reverse(path);
    return path;
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

}  // namespace dcube::detail
