#pragma once
// LinkNumbers: where in the machine's tables a directed link stands. Links are numbered by their receivers.

#include "base/memory.hpp"

#include <dcube/topology.hpp>
#include <dcube/world.hpp>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

// Where all nodes have equally many ports, the links that enter by one port stand side by side, node by node:
// neighbouring nodes that use one port touch neighbouring memory. A gap between the ports' planes keeps them out of
// each other's cache sets. In other networks a node's links stand side by side.
class LinkNumbers {
public:
    // `own`: the nodes whose links out are known, which are a rank's own.
    LinkNumbers(const Topology& topology, NodeRange own);

    // Numbers are below this; some may stand for no link.
    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] std::uint32_t first(NodeId node) const { return regular_ ? node : first_[node]; }
    [[nodiscard]] std::uint32_t stride() const { return stride_; }

    // The link that enters `node` at `port`.
    [[nodiscard]] std::uint32_t in(NodeId node, Port port) const { return first(node) + port * stride_; }
    // The link that leaves `node`, one of the own, by `port`. That of any node is the link that enters its neighbour.
    [[nodiscard]] std::uint32_t out(NodeId node, Port port) const
    {
        assert(own_.contains(node));
        return out_.empty() ? (node ^ (NodeId{1} << port)) + port * stride_ : out_[in(node, port)];
    }
    // The links that leave nodes by ports, by in(node, port); empty on hypercubes, where that number is an XOR away.
    [[nodiscard]] std::span<const std::uint32_t> outs() const { return out_; }

    // Fills the table of outs for these nodes, some of the own: the work is shared among threads.
    void note_outs(const Topology& topology, NodeId first, NodeId last);

    static std::size_t bytes_per_link(const Topology& topology)
    {
        return topology.is_hypercube() ? 0 : sizeof(std::uint32_t);
    }

private:
    NodeRange own_;
    bool regular_;
    std::uint32_t stride_;
    std::uint64_t count_;
    std::vector<std::uint32_t> first_;
    Memory outs_;
    std::span<std::uint32_t> out_;
};

}  // namespace dcube::detail
