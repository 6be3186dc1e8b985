#pragma once
// Cut nodes: those without which a network falls apart.

#include "collectives/graphs/arcs.hpp"

#include <cstdint>
#include <vector>

namespace dcube::detail {

// A network without one of its nodes.
struct WithoutNode {
    struct Part {
        NodeId nodes = 0;
        std::uint32_t far = 0;  // the most hops from the node that was taken out to one of the part
    };

    NodeId node;
    std::vector<std::uint32_t> part;  // by node; no_part: the node itself, and those that take no part
    std::vector<std::uint32_t> hops;  // by node, from the node that was taken out
    std::vector<Part> parts;
};
inline constexpr std::uint32_t no_part = ~std::uint32_t{0};

// The cut nodes, ascending.
std::vector<NodeId> cut_nodes(const Arcs& arcs);

WithoutNode without_node(const Arcs& arcs, NodeId node);

}  // namespace dcube::detail
