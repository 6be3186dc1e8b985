#pragma once
// The sum of the shares of all nodes of a graph, grouped alike at every node whatever the order in which they come.

#include <dcube/node.hpp>
#include <dcube/packet.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace dcube::detail {

// Shares are added in pairs of neighbours, these in pairs, and so on: part k of level l is the sum over the nodes from
// k 2^l up to, and without, (k + 1) 2^l, as far as there are so many. The lower half always stands before the higher
// one, so an operation need not commute.
//
// The nodes whose shares have come are a stretch of the circle 0, 1, .., n - 1, 0 at any time, so most parts of it are
// whole. Those that wait for the other half are lower halves at its end and higher ones at its beginning: at most one
// of each on a level.
class PairwiseSum {
public:
    // The number of blocks of storage that it takes.
    static std::size_t places(NodeId nodes);

    PairwiseSum() = default;
    // The sum goes to `into`, which may be the last share's own bytes.
    PairwiseSum(NodeId nodes, std::span<std::byte> storage, std::span<std::byte> into);

    // Adds a node's share. Its bytes need not stay, but those of `into`.
    void add(Node& me, NodeId node, const Packet& share, Combine combine);

    // The sum, when all shares have come.
    [[nodiscard]] Packet total() const { return {into_, 0, *usable_}; }

private:
    [[nodiscard]] std::span<std::byte> place(std::size_t level, NodeId part) const
    {
        return storage_.subspan((2 * level + part % 2) * into_.size(), into_.size());
    }

    NodeId nodes_ = 0;
    std::span<std::byte> storage_{};
    std::span<std::byte> into_{};
    std::vector<NodeId> waiting_{};   // by place: the part that is there
    std::optional<Usable> usable_{};  // since when all that has come is
};

}  // namespace dcube::detail
