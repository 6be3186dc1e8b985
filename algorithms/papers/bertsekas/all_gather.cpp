// All-gather: every node's message reaches all nodes. Reduce-scatter: every node gets the sum of all messages for it.
// m packets per message, N = 2^d nodes.
//
//   rotated-trees   all ports   ceil(m(N-1)/d) steps   mN(N-1) transmissions   both optimal
//   rotated-trees   all ports   reduce-scatter: the all-gather, backwards
//
// Idea (Bertsekas et al. 1991, section 2, multinode broadcast): one spanning tree for root 0, whose links have a step
// each; the same tree XORed with r for every root r. If root 0 uses d different ports in a step, no two roots ever meet
// on a link.
//   The nodes are numbered n = 1 .. N-1, level |x| by level, classes of rotations side by side. Number n has
//   port(n) = (n-1) mod d, step(n) = (n-1) div d + 1; x hears from parent(x) = x ^ 2^port(x), which has a smaller step.
// Several packets are numbered together; that and running backwards are not the paper's.
//
// Planning: O(d N) time to find the classes, m(N-1) planned hops (plan_bytes).

#include "algorithms/papers/bertsekas/all_gather.hpp"

#include "algorithms/papers/bertsekas/necklaces.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"

#include <utility>

namespace dcube::detail {

namespace {

struct Numbered {
    NodeId node;
    std::uint32_t copy;
};

// The paper's numbering, and one of all copies together where messages have several packets.
class Numbering {
public:
    Numbering(unsigned d, std::uint32_t copies) : d_(d), copies_(copies)
    {
        for (unsigned k = 1; k < d; ++k)
            append_level(k);
        if (d > 0)
            append_all_ones();
    }

    [[nodiscard]] const std::vector<Numbered>& nodes() const { return nodes_; }

private:
    // The block class 0..01..1 first, for its nodes are the parents of the next block class.
    void append_level(unsigned k)
    {
        const std::vector<NodeId> classes = classes_of_level(k, d_);
        for (std::uint32_t copy = 0; copy < copies_; ++copy)
            append_class(classes.front(), copy, true);
        for (std::uint32_t copy = 0; copy < copies_; ++copy)
            for (std::size_t other = 1; other < classes.size(); ++other)
                append_class(classes[other], copy, false);
    }

    // The first one must have a 1 at its port; then all have, because port and bits rotate together. In a block class
    // it must also have a 0 below that, which leaves one member: its parent then lies in the block class one level
    // down.
    void append_class(NodeId member, std::uint32_t copy, bool is_block)
    {
        const auto port = static_cast<unsigned>(nodes_.size() % d_);
        while (!has_bit(member, port) || (is_block && has_bit(member, (port + d_ - 1) % d_)))
            member = rotated(member, 1, d_);
        const unsigned size = class_size(member, d_);
        for (unsigned i = 0; i < size; ++i, member = rotated(member, 1 % d_, d_))
            nodes_.push_back({member, copy});
    }

    // The youngest copy first: its parent was numbered last. If the first of these numbers falls on port d-1, its
    // parent has the same step, so two copies are swapped.
    void append_all_ones()
    {
        const std::size_t first = nodes_.size();
        for (std::uint32_t copy = copies_; copy-- > 0;)
            nodes_.push_back({bit(d_) - 1, copy});
        if (copies_ >= 2 && first % d_ == d_ - 1)
            std::swap(nodes_[first], nodes_[first + 1]);
    }

    unsigned d_;
    std::uint32_t copies_;
    std::vector<Numbered> nodes_;
};

}  // namespace

// Root 0's link from parent to x is node 0's link, of the same port, for the root that sees node 0 as `parent`.
Schedule all_gather_schedule(const Topology& topology, std::uint32_t packets)
{
    const unsigned d = topology.dimension();
    const Numbering numbering(d, packets);
    Schedule schedule{
        Symmetry::translated, static_cast<Step>(steps_over_links(numbering.nodes().size(), topology)), {}};
    schedule.hops.reserve(numbering.nodes().size());
    for (std::size_t i = 0; i < numbering.nodes().size(); ++i) {
        const auto [node, copy] = numbering.nodes()[i];
        const auto port = static_cast<Port>(i % d);
        const NodeId parent = node ^ bit(port);
        schedule.hops.push_back({static_cast<Step>(i / d + 1), 0, port, {parent, 0, copy}});
    }
    return schedule;
}

}  // namespace dcube::detail
