#include "emu/images.hpp"

namespace dcube::detail {

namespace {

// Translations go digit by digit: the image of a node is that of its high digits and that of its low ones together. So
// two small tables give the large one.
NodeId low_digits(const Topology& topology)
{
    return topology.stride(topology.dimension() / 2) * topology.factor(topology.dimension() / 2).nodes();
}

}  // namespace

void Images::make(const Topology& topology)
{
    if (topology.is_hypercube() || topology.nodes() > most_nodes)
        return;
    std::call_once(once_, [&] {
        const NodeId nodes = topology.nodes();
        const NodeId low = low_digits(topology);
        std::vector<NodeId> image(nodes);
        table_.resize(std::size_t{nodes} * nodes);
        for (NodeId block = 0; block < nodes; ++block) {
            NodeId* const row = &table_[std::size_t{block} * nodes];
            for (NodeId origin = 0; origin < low; ++origin)
                image[origin] = topology.translate(block % low, origin);
            for (NodeId high = 0; high < nodes; high += low) {
                const NodeId base = topology.translate(block - block % low, high);
                for (NodeId origin = 0; origin < low; ++origin)
                    row[high + origin] = base + image[origin];
            }
        }
        nodes_ = nodes;
    });
}

}  // namespace dcube::detail
