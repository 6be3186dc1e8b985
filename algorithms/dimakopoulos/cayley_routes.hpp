#pragma once
// The shortest routes of node 0's packets in a product of Cayley graphs, for class_matching.cpp.

#include <dcube/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

// A hop over a generator (a port of node 0) that leaves a shorter route.
struct Move {
    Port generator;
    NodeId left;  // the route from there
};

// The shortest routes of node 0's packets, by the element of the group that is still to be made: a hop over g turns x
// into g^-1 x.
class CayleyRoutes {
public:
    // Loads are counted in fractions of a hop, in integers so that they are the same on every machine.
    using Load = std::int64_t;

    explicit CayleyRoutes(const Topology& topology);

    [[nodiscard]] NodeId count() const { return static_cast<NodeId>(hops_.size()); }
    [[nodiscard]] Port generators() const { return generators_; }
    [[nodiscard]] unsigned hops(NodeId route) const { return hops_[route]; }
    [[nodiscard]] unsigned longest() const { return hops_[by_length_.back()]; }
    [[nodiscard]] std::span<const Move> moves(NodeId route) const
    {
        return std::span(moves_).subspan(first_move_[route], first_move_[route + 1] - first_move_[route]);
    }
    [[nodiscard]] NodeId after(NodeId route, Port generator) const;
    // How often a route uses each generator, if at every node all moves are equally likely.
    [[nodiscard]] std::span<const Load> loads(NodeId route) const
    {
        return std::span(loads_).subspan(std::size_t{route} * generators_, generators_);
    }
    [[nodiscard]] std::span<const NodeId> by_length() const { return by_length_; }

    static constexpr Load hop = 1024;

private:
    void add_moves(const Topology& topology, NodeId route);
    void set_loads(NodeId route);

    Port generators_;
    std::vector<unsigned> hops_;
    std::vector<std::size_t> first_move_;
    std::vector<Move> moves_;
    std::vector<Load> loads_;
    std::vector<NodeId> by_length_;
};

// What the busiest generator must carry, however the shortest routes are chosen.
std::uint64_t least_load(const CayleyRoutes& routes);

}  // namespace dcube::detail
