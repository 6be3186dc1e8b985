#include "algorithms/any_network/tree_traffic.hpp"

namespace dcube::detail {

TreeTraffic::TreeTraffic(const Arcs& arcs, std::span<const CentredTree> trees)
    : arcs_(arcs), trees_(trees), places_(trees.size() * arcs.nodes())
{
    for (std::uint32_t tree = 0; tree < trees.size(); ++tree) {
        for (const NodeId node : trees[tree].downwards)
            place(tree, node).missing = trees[tree].nodes[node].children;
        moves_ += 2 * (trees[tree].downwards.size() - 1);
    }
}

}  // namespace dcube::detail
