#include "algorithms/beyond/any_network/pairwise_sum.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace dcube::detail {

namespace {

constexpr NodeId nothing_waits = std::numeric_limits<NodeId>::max();

std::size_t levels_of(NodeId nodes)
{
    return static_cast<std::size_t>(std::bit_width(nodes - 1));
}

}  // namespace

std::size_t PairwiseSum::places(NodeId nodes)
{
    return 2 * levels_of(nodes);
}

PairwiseSum::PairwiseSum(NodeId nodes, std::span<std::byte> storage, std::span<std::byte> into)
    : nodes_(nodes), storage_(storage), into_(into), waiting_(places(nodes), nothing_waits)
{
}

void PairwiseSum::add(Node& me, NodeId node, const Packet& share, Combine combine)
{
    usable_ = std::max(usable_.value_or(share.usable), share.usable);
    std::span<const std::byte> sum = share.bytes;
    NodeId part = node;
    NodeId parts = nodes_;  // on this level
    for (std::size_t level = 0; parts > 1; ++level, part /= 2, parts = parts / 2 + parts % 2) {
        const NodeId other = part ^ 1;
        if (other == parts)  // the last one has no other half
            continue;
        NodeId& there = waiting_[2 * level + other % 2];
        if (there != other) {
            waiting_[2 * level + part % 2] = part;
            me.copy(place(level, part), sum);
            return;
        }
        there = nothing_waits;
        const std::span<std::byte> half = place(level, other);
        const std::span<std::byte> into = parts == 2 ? into_ : half;
        part < other ? me.combine(into, sum, half, combine) : me.combine(into, half, sum, combine);
        sum = into;
    }
}

}  // namespace dcube::detail
