#pragma once
// The search for flows of least cost in which an arc costs 1, and taking something back from its opposite -1.

#include "collectives/graphs/arcs.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dcube::detail {

// Dijkstra's algorithm with potentials (Edmonds & Karp 1972), which make all costs 0 or more: from one node to the
// nearest that takes more. Distances are small whole numbers, so buckets do for a queue.
class ResidualSearch {
public:
    static constexpr int closed = 2;  // the cost of an arc over which nothing more can go

    explicit ResidualSearch(const Arcs& arcs)
        : arcs_(arcs), potential_(arcs.nodes()), distance_(arcs.nodes()), entered_by_(arcs.nodes())
    {
    }

    // cost(arc) is 1, -1 or closed, takes_more(node) whether a path may end there. False if there is no such path.
    template <class Cost, class TakesMore>
    bool run(NodeId from, const Cost& cost, const TakesMore& takes_more)
    {
        std::ranges::fill(distance_, unreachable);
        for (std::vector<NodeId>& bucket : buckets_)
            bucket.clear();
        put(from, 0);
        to_end_ = unreachable;
        for (std::uint32_t distance = 0; distance < std::min<std::size_t>(buckets_.size(), to_end_); ++distance)
            for (std::size_t i = 0; i < buckets_[distance].size() && distance < to_end_; ++i)
                if (const NodeId node = buckets_[distance][i]; distance_[node] == distance)
                    visit(node, cost, takes_more);
        if (to_end_ == unreachable)
            return false;
        for (const NodeId node : arcs_.members())
            potential_[node] += std::min(distance_[node], to_end_);
        end_potential_ += to_end_;
        return true;
    }

    // After a search: whether an arc of that cost is on a shortest path to where it leads, and such a path may end
    // here.
    [[nodiscard]] bool is_shortest(ArcId arc, int cost) const
    {
        return cost != closed && std::int64_t{potential_[arcs_.from(arc)]} + cost == potential_[arcs_.to(arc)];
    }
    [[nodiscard]] bool is_nearest(NodeId node) const { return potential_[node] == end_potential_; }
    // The cost of the path that was found.
    [[nodiscard]] std::uint32_t length() const { return end_potential_; }
    // The last arc of the path to a node that was reached.
    [[nodiscard]] ArcId entered_by(NodeId node) const { return entered_by_[node]; }
    // Whether a search that found no path came here.
    [[nodiscard]] bool was_reached(NodeId node) const { return distance_[node] != unreachable; }

private:
    void put(NodeId node, std::uint32_t distance)
    {
        distance_[node] = distance;
        if (buckets_.size() <= distance)
            buckets_.resize(distance + std::size_t{1});
        buckets_[distance].push_back(node);
    }

    template <class Cost, class TakesMore>
    void visit(NodeId node, const Cost& cost, const TakesMore& takes_more)
    {
        for_each_out(arcs_, node, [&](ArcId arc) {
            const int by_arc = cost(arc);
            if (by_arc == closed)
                return;
            const NodeId next = arcs_.to(arc);
            const std::uint32_t there =
                distance_[node] + potential_[node] + static_cast<std::uint32_t>(by_arc) - potential_[next];
            if (there >= distance_[next])
                return;
            put(next, there);
            entered_by_[next] = arc;
            if (takes_more(next))
                to_end_ = std::min(to_end_, there + potential_[next] - end_potential_);
        });
    }

    const Arcs& arcs_;
    std::vector<std::uint32_t> potential_;
    std::vector<std::uint32_t> distance_;  // with potentials
    std::vector<ArcId> entered_by_;
    std::vector<std::vector<NodeId>> buckets_;
    std::uint32_t end_potential_ = 0;  // the potential of a virtual node behind all that take more
    std::uint32_t to_end_ = 0;         // its distance, as far as is known
};

}  // namespace dcube::detail
