#pragma once
// Cheapest paths from one node, found again and again under costs that change little.

#include "collectives/graphs/arcs.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

// Powers of two in whole numbers: prices and penalties that are the same on every machine, which std::exp is not.

// An exponent of 1 is that much.
inline constexpr std::int64_t exponent_unit = 4096;

// ln is log2 times this, as a fraction: e^x = 2^(x * natural_exponent / natural_exponent_unit).
inline constexpr std::int64_t natural_exponent = 14427;
inline constexpr std::int64_t natural_exponent_unit = 10000;

// 2^(i / 4096) in units of 2^-32, to about 6 digits.
inline constexpr std::array<std::uint64_t, exponent_unit> powers_below_two = [] {
    constexpr std::uint64_t growth = 1'488'648'191;  // (2^(1/4096) - 1) 2^43
    std::array<std::uint64_t, exponent_unit> powers{};
    std::uint64_t power = std::uint64_t{1} << 32;
    for (std::uint64_t& each : powers) {
        each = power;
        power += power * growth >> 43;
    }
    return powers;
}();

// 2^(bits + exponent / 4096), rounded down; the result must be below 2^63.
constexpr std::uint64_t power_of_two(std::int64_t exponent, int bits)
{
    const std::int64_t whole = exponent >> 12;
    const std::uint64_t fraction = powers_below_two[static_cast<std::size_t>(exponent & (exponent_unit - 1))];
    const std::int64_t shift = whole + bits - 32;
    if (shift >= 0)
        return fraction << shift;
    return shift > -64 ? fraction >> -shift : 0;
}

// The last search's order is nearly right for the next one, so a sweep or two over the arcs takes the place of a heap.
// (128 nodes of 8 links, costs that grow by up to a fifth: Boost's Dijkstra took 12 us a search, this 5 us.)
class CheapestPaths {
public:
    using Cost = std::uint64_t;

    CheapestPaths(const Arcs& arcs, NodeId source);

    // cost(from, arc, to) of every arc, at least 1.
    template <class CostOf>
    void search(const CostOf& cost)
    {
        follow_last_tree(cost);
        std::ranges::fill(due_, std::uint8_t{true});
        while (sweep(cost)) {
        }
        sort_by_distance();
    }

    // The nodes that can be reached, the source first, every node behind the one that leads to it.
    [[nodiscard]] std::span<const NodeId> order() const { return order_; }
    [[nodiscard]] Cost distance(NodeId node) const { return distance_[node]; }
    // The last arc of the path to a node that is not the source.
    [[nodiscard]] ArcId arc_to(NodeId node) const { return arc_to_[node]; }
    // The path to a node.
    void path_to(NodeId node, std::vector<ArcId>& path) const;

private:
    template <class CostOf>
    void follow_last_tree(const CostOf& cost)
    {
        for (std::size_t i = 1; i < order_.size(); ++i) {
            const NodeId node = order_[i];
            const ArcId arc = arc_to_[node];
            const NodeId from = arcs_->from(arc);
            distance_[node] = distance_[from] + cost(from, arc, node);
        }
    }

    // Relaxes once the arcs of every node that is due; returns true if some nodes are due again.
    template <class CostOf>
    bool sweep(const CostOf& cost)
    {
        bool again = false;
        for (const NodeId from : order_) {
            if (!due_[from])
                continue;
            due_[from] = false;
            const Cost here = distance_[from];
            for_each_out(*arcs_, from, [&](ArcId arc) {
                const NodeId to = arcs_->to(arc);
                const Cost there = here + cost(from, arc, to);
                if (there < distance_[to]) {
                    distance_[to] = there;
                    arc_to_[to] = arc;
                    due_[to] = true;
                    again |= place_[to] < place_[from];
                }
            });
        }
        return again;
    }

    void sort_by_distance();

    const Arcs* arcs_;
    std::vector<NodeId> order_;
    std::vector<std::uint32_t> place_;  // in the order
    std::vector<Cost> distance_;
    std::vector<ArcId> arc_to_;
    std::vector<std::uint8_t> due_;  // whether a node's arcs have to be looked at
};

}  // namespace dcube::detail
