#pragma once
// Pipelines: broadcasts of many packets, told as a function instead of a table. For every node, port and step a
// pipeline says which packet arrives; so a message of any number of packets costs no memory, and backwards it is a
// reduction.

#include <dcube/collective.hpp>
#include <dcube/node.hpp>
#include <dcube/task.hpp>

#include "algorithms/programs/cut.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace dcube::detail {

// What one node has to do in a broadcast from root 0. Steps 1, 2, ..., steps().
class Pipeline {
public:
    virtual ~Pipeline() = default;

    // The packet that this node receives, or sends, over `port` in `step`.
    [[nodiscard]] virtual std::optional<std::uint32_t> arrival(Port port, Step step) const = 0;
    [[nodiscard]] virtual std::optional<std::uint32_t> departure(Port port, Step step) const = 0;
};

// The node with `label` (relative to the root) of a broadcast of `packets` packets on a d-cube.
// All ports: d trees of Bertsekas et al. 1991, section 1, or rather of Stout & Wagar 1990, BROADCAST 4 with unit
// packets.
std::unique_ptr<Pipeline> tree_pipeline(unsigned d, NodeId label, std::uint32_t packets);
// One port: packet b spreads among the nodes with bit b mod d, and d steps later to the others.
std::unique_ptr<Pipeline> one_port_pipeline(unsigned d, NodeId label, std::uint32_t packets);

// parent(i, x, last) of the i-th tree, and the stage in which x hears from it. x != 0.
struct TreeLink {
    NodeId parent;
    Step stage;
};
TreeLink tree_link(unsigned d, unsigned tree, NodeId x, bool last);

// The pipelines of Stout & Wagar 1990, section 3, in which a node sends whatever the rule says, also to nodes that have
// the packet already: what leaves `node` over `port` in `stage` 0, 1, ...
using WaveRule = std::function<std::optional<std::uint32_t>(unsigned d, NodeId node, Port port, Step stage)>;
std::unique_ptr<Pipeline> wave_pipeline(unsigned d, NodeId label, const WaveRule& rule);

// How a message is cut in packets. Unequal ones are worked out once, because every hop asks.
class PacketCut {
public:
    // Packets of one size.
    static PacketCut equal(std::size_t bytes, std::uint32_t packets);
    // Balanced: packet q d + i is part i of group q, of a message of `units` units (bytes, or elements that must not be
    // cut).
    static PacketCut groups(std::size_t units, std::size_t unit, std::uint32_t groups, std::uint32_t d);
    // Packet q d + i is part q of the i-th tree's share.
    static PacketCut trees(std::size_t units, std::size_t unit, std::uint32_t groups, std::uint32_t d);

    [[nodiscard]] std::uint32_t packets() const { return packets_; }
    [[nodiscard]] Stretch operator()(std::uint32_t packet) const
    {
        return unequal_.empty() ? Stretch{packet * bytes_, bytes_} : unequal_[packet];
    }

private:
    std::uint32_t packets_ = 0;
    std::size_t bytes_ = 0;
    std::vector<Stretch> unequal_;
};

// A message that streams through a pipeline.
struct Stream {
    std::function<std::unique_ptr<Pipeline>(unsigned d, NodeId label)> make;
    Step steps;
    PacketCut cut;
};

// The programs: forwards every node gets the root's packets, backwards the root gets their sums. A node that has no
// output of its own keeps what it must pass on in storage.
Task spread(Node& me, const Stream& stream, const Problem& problem, NodeData data);
Task accumulate(Node& me, const Stream& stream, const Problem& problem, NodeData data);

}  // namespace dcube::detail
