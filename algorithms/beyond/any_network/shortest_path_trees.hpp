#pragma once
// Packets that go down trees of shortest paths, dealt out to steps by list scheduling. Simple, good on any network, and
// optimal on none by proof; what the collectives use where no better algorithm is known.

#include "algorithms/programs/schedule.hpp"

#include <dcube/link.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <vector>

namespace dcube::detail {

// The paths of one packet from its root: a tree of hops, parents before their children.
class PacketTree {
public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    struct Edge {
        NodeId from;
        Port port;
        std::uint32_t parent;  // the edge that leads to `from`; none at the root
        std::uint32_t first_child = none;
        std::uint32_t next_sibling = none;
        std::uint32_t height = 1;  // hops of the longest path from here on
    };

    explicit PacketTree(const PacketName& packet) : packet_(packet) {}

    std::uint32_t add(std::uint32_t parent, NodeId from, Port port);
    // To be called when all edges are there.
    void measure_heights();

    [[nodiscard]] const PacketName& packet() const { return packet_; }
    [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
    [[nodiscard]] std::uint32_t first() const { return first_; }

private:
    PacketName packet_;
    std::vector<Edge> edges_;
    std::uint32_t first_ = none;  // the root's
};

// Chooses shortest paths over the links (with one port: the senders) that have been chosen least so far. For a
// translated schedule all links of one port are one.
class LeastUsedPaths {
public:
    LeastUsedPaths(const Topology& topology, PortModel ports, Symmetry symmetry);

    // A tree from the root to every other node.
    PacketTree tree(NodeId root, const PacketName& packet);
    // A path from one node to another.
    PacketTree path(NodeId from, NodeId to, const PacketName& packet);

private:
    std::uint32_t& uses(NodeId node, Port port);

    const Topology& topology_;
    PortModel ports_;
    Symmetry symmetry_;
    std::vector<std::uint32_t> uses_;
    std::vector<Port> nearer_;
};

// In every step every link carries the packet with the longest path still to go; with one port the longest ones choose
// first. A translated schedule has one tree, node 0's. Takes time as its hops times the logarithm of those that wait.
Schedule schedule_trees(const Topology& topology, PortModel ports, Symmetry symmetry,
                        const std::vector<PacketTree>& trees);

}  // namespace dcube::detail
