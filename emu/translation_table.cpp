#include "emu/translation_table.hpp"

#include "base/sizes.hpp"

#include <algorithm>
#include <limits>

namespace dcube::detail {

namespace {

constexpr NodeId most_in_one_table = 512;                        // 1 MiB
constexpr std::uint64_t most_entries = std::uint64_t{17} << 20;  // 68 MiB: the longest factor, and more of others
constexpr NodeId most_of_half = std::numeric_limits<std::uint16_t>::max();

std::uint64_t square(NodeId nodes)
{
    return std::uint64_t{nodes} * nodes;
}

// The number of nodes that the low digits distinguish: cut where the two tables are smallest. 0 on hypercubes, and
// where even these tables are too large.
NodeId low_nodes(const Topology& topology)
{
    const NodeId nodes = topology.nodes();
    if (topology.is_hypercube())
        return 0;
    NodeId best = nodes;
    const auto entries = [nodes](NodeId low) { return square(low) + square(nodes / low); };
    for (unsigned digit = 0; digit < topology.dimension(); ++digit)
        if (entries(topology.stride(digit)) < entries(best))
            best = topology.stride(digit);
    return entries(best) <= most_entries && std::max(best, nodes / best) <= most_of_half ? best : 0;
}

// The images of `count` nodes by as many origins, all of them multiples of `step`.
std::vector<NodeId> images_of(const Topology& topology, NodeId count, NodeId step)
{
    std::vector<NodeId> images;
    images.reserve(as_size(square(count)));
    for (NodeId block = 0; block < count; ++block)
        for (NodeId origin = 0; origin < count; ++origin)
            images.push_back(topology.translate(block * step, origin * step));
    return images;
}

// The whole table, from the two: asking the topology for each image takes ten times as long.
std::vector<NodeId> composed(const std::vector<NodeId>& high_images, const std::vector<NodeId>& low_images, NodeId high,
                             NodeId low)
{
    std::vector<NodeId> images;
    images.reserve(as_size(square(high * low)));
    for (NodeId block = 0; block < high * low; ++block)
        for (NodeId origin = 0; origin < high; ++origin) {
            const NodeId base = high_images[std::size_t{block / low} * high + origin];
            const NodeId* const row = &low_images[std::size_t{block % low} * low];
            for (NodeId last = 0; last < low; ++last)
                images.push_back(base + row[last]);
        }
    return images;
}

}  // namespace

std::uint64_t TranslationTable::bytes(const Topology& topology)
{
    const NodeId low = low_nodes(topology);
    if (low == 0)
        return 0;
    const NodeId nodes = topology.nodes();
    const std::uint64_t entries =
        nodes <= most_in_one_table ? square(nodes) : square(low) + square(nodes / low) + nodes;
    return entries * sizeof(NodeId);
}

void TranslationTable::make(const Topology& topology)
{
    if (topology.is_hypercube())
        return;
    std::call_once(once_, [&] {
        const NodeId low = low_nodes(topology);
        if (low == 0)
            return;
        const NodeId high = topology.nodes() / low;
        low_images_ = images_of(topology, low, 1);
        high_images_ = images_of(topology, high, low);
        high_ = high;
        low_ = low;
        if (topology.nodes() <= most_in_one_table) {
            low_images_ = composed(high_images_, low_images_, high, low);
            high_ = 1;
            low_ = topology.nodes();
            return;
        }
        for (NodeId node = 0; node < topology.nodes(); ++node)
            digits_.push_back(node / low << 16 | node % low);
    });
}

}  // namespace dcube::detail
