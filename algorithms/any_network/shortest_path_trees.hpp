#pragma once
// Routes: packets that go along trees of shortest ways, dealt out to steps by list scheduling. Simple, good on any
// network, and optimal on none by proof; what the collectives use where no better algorithm is known.

#include "algorithms/programs/schedule.hpp"

#include <dcube/ports.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <vector>

namespace dcube::detail {

// The ways of one packet from its root: a tree of hops, parents before their children.
class Route {
public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    struct Edge {
        NodeId from;
        Port port;
        std::uint32_t parent;  // the edge that leads to `from`; none at the root
        std::uint32_t first_child = none;
        std::uint32_t next_sibling = none;
        std::uint32_t height = 1;  // hops of the longest way from here on
    };

    explicit Route(const PacketName& packet) : packet_(packet) {}

    std::uint32_t add(std::uint32_t parent, NodeId from, Port port);
    // When all edges are there.
    void measure_heights();

    [[nodiscard]] const PacketName& packet() const { return packet_; }
    [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
    [[nodiscard]] std::uint32_t first() const { return first_; }

private:
    PacketName packet_;
    std::vector<Edge> edges_;
    std::uint32_t first_ = none;  // of the root's
};

// Chooses shortest ways so that no link (with one port: no sender) gets more to do than others, if that can be. For a
// translated schedule all links of one port are one.
class Router {
public:
    Router(const Topology& topology, PortModel ports, Symmetry symmetry);

    Route tree(NodeId root, const PacketName& packet);
    Route path(NodeId from, NodeId to, const PacketName& packet);

private:
    std::uint32_t& load(NodeId node, Port port);

    const Topology& topology_;
    PortModel ports_;
    Symmetry symmetry_;
    std::vector<std::uint32_t> load_;
};

// In every step every link carries the packet with the longest way still to go; with one port the longest ones choose
// first. A translated schedule has one route, node 0's.
Schedule schedule_routes(const Topology& topology, PortModel ports, Symmetry symmetry,
                         const std::vector<Route>& routes);

}  // namespace dcube::detail
