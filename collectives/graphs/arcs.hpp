#pragma once
// A network as a list of arcs, which is how flows, matchings and searches read it.

#include <dcube/topology.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

// An arc is a directed link, numbered as Topology::link does: the arcs that leave a node stand side by side, by port.
using ArcId = std::uint32_t;

class Arcs {
public:
    explicit Arcs(const Topology& topology);

    // The number of all nodes, including those that take no part.
    [[nodiscard]] NodeId nodes() const { return static_cast<NodeId>(first_.size() - 1); }
    // The nodes that have links, ascending; in a network of one node, that node.
    [[nodiscard]] std::span<const NodeId> members() const { return members_; }
    [[nodiscard]] ArcId size() const { return static_cast<ArcId>(to_.size()); }

    [[nodiscard]] NodeId from(ArcId arc) const { return to_[opposite_[arc]]; }
    [[nodiscard]] NodeId to(ArcId arc) const { return to_[arc]; }
    [[nodiscard]] Port port(ArcId arc) const { return arc - first_[from(arc)]; }
    // The same link the other way.
    [[nodiscard]] ArcId opposite(ArcId arc) const { return opposite_[arc]; }

    [[nodiscard]] ArcId first_out(NodeId node) const { return first_[node]; }
    [[nodiscard]] ArcId degree(NodeId node) const { return first_[node + 1] - first_[node]; }
    // The arcs that enter a node are the opposites of those that leave it, in the same order.
    [[nodiscard]] std::span<const ArcId> in(NodeId node) const
    {
        return std::span(opposite_).subspan(first_[node], degree(node));
    }

private:
    std::vector<ArcId> first_;  // by node, and the end
    std::vector<NodeId> to_;
    std::vector<ArcId> opposite_;
    std::vector<NodeId> members_;
};

// Calls work(arc) for the arcs that leave a node, by port.
template <class Work>
void for_each_out(const Arcs& arcs, NodeId node, const Work& work)
{
    for (ArcId arc = arcs.first_out(node), end = arc + arcs.degree(node); arc != end; ++arc)
        work(arc);
}

// The distance of every node from the nearest of these; `unreachable` where no path leads.
inline constexpr std::uint32_t unreachable = ~std::uint32_t{0};
std::vector<std::uint32_t> hops_from(const Arcs& arcs, std::span<const NodeId> starts);
inline std::vector<std::uint32_t> hops_from(const Arcs& arcs, NodeId start)
{
    return hops_from(arcs, std::span(&start, 1));
}

}  // namespace dcube::detail
