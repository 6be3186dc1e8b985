#include "collectives/graphs/cheapest_paths.hpp"

namespace dcube::detail {

CheapestPaths::CheapestPaths(const Arcs& arcs, NodeId source)
    : arcs_(&arcs), order_{source}, place_(arcs.nodes()), distance_(arcs.nodes()), arc_to_(arcs.nodes()),
      due_(arcs.nodes())
{
    std::vector<bool> reached(arcs.nodes());
    reached[source] = true;
    for (std::size_t i = 0; i < order_.size(); ++i)
        for_each_out(arcs, order_[i], [&](ArcId arc) {
            const NodeId to = arcs.to(arc);
            if (reached[to])
                return;
            reached[to] = true;
            arc_to_[to] = arc;
            place_[to] = static_cast<std::uint32_t>(order_.size());
            order_.push_back(to);
        });
}

void CheapestPaths::path_to(NodeId node, std::vector<ArcId>& path) const
{
    path.clear();
    for (; node != order_.front(); node = arcs_->from(path.back()))
        path.push_back(arc_to_[node]);
    std::ranges::reverse(path);
}

// Insertion sort, as long as little is out of order. Costs are positive, so a node comes after the one that leads to
// it.
void CheapestPaths::sort_by_distance()
{
    std::size_t moves_left = 8 * order_.size();
    for (std::size_t i = 1; i < order_.size(); ++i) {
        const NodeId node = order_[i];
        std::size_t place = i;
        for (; distance_[order_[place - 1]] > distance_[node]; --place)
            order_[place] = order_[place - 1];
        order_[place] = node;
        if (i - place > moves_left) {  // the same order: both ways are stable
            std::ranges::stable_sort(order_, {}, [&](NodeId each) { return distance_[each]; });
            break;
        }
        moves_left -= i - place;
    }
    for (std::size_t place = 0; place < order_.size(); ++place)
        place_[order_[place]] = static_cast<std::uint32_t>(place);
}

}  // namespace dcube::detail
