#pragma once
// Pipelines: broadcasts of many packets, told as a function instead of a table. For every node, port and step a
// pipeline says which packet arrives; so a message of any number of packets costs no memory, and backwards it is a
// reduction.

#include <dcube/collective.hpp>
#include <dcube/node.hpp>
#include <dcube/task.hpp>

#include <cstdint>
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

using MakePipeline = std::unique_ptr<Pipeline> (*)(unsigned d, NodeId label, std::uint32_t packets);

// The programs: forwards every node gets the root's packets, backwards the root gets their sums.
Task spread(Node& me, MakePipeline make, const Problem& problem, Step steps, NodeData data);
Task accumulate(Node& me, MakePipeline make, const Problem& problem, Step steps, NodeData data);

}  // namespace dcube::detail
