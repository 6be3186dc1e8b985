#pragma once
// Pipelines: broadcasts of many packets, described by a function instead of a table. For every node, port and step a
// pipeline says which packet arrives; so a message of any number of packets costs no memory, and run backwards it is a
// reduction.

#include <dcube/layout.hpp>
#include <dcube/node.hpp>
#include <dcube/task.hpp>

#include "algorithms/programs/cut.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace dcube::detail {

// One node's work in a broadcast from root 0. Steps 1, 2, ..., steps().
class Pipeline {
public:
    virtual ~Pipeline() = default;

    // The packet that this node receives, or sends, over `port` in `step`.
    [[nodiscard]] virtual std::optional<std::uint32_t> arrival(Port port, Step step) const = 0;
    [[nodiscard]] virtual std::optional<std::uint32_t> departure(Port port, Step step) const = 0;

    // A step after `step` such that there is nothing to do before it; `never` if there is nothing to do any more.
    static constexpr Step never = ~Step{0};
    [[nodiscard]] virtual Step next(Step step) const { return step + 1; }
};

// The pipelines of Stout & Wagar 1990, section 2, in which a node sends whatever the rule says, also to nodes that have
// the packet already: what leaves `node` over `port` in `stage` 0, 1, ...
using WaveRule = std::function<std::optional<std::uint32_t>(unsigned d, NodeId node, Port port, Step stage)>;
std::unique_ptr<Pipeline> wave_pipeline(unsigned d, NodeId label, const WaveRule& rule);

// A message that streams through a pipeline.
struct Stream {
    std::function<std::unique_ptr<Pipeline>(unsigned d, NodeId label)> make;
    Step steps;
    PacketCut cut;
    std::uint64_t transmissions = 0;  // packets of no bytes are not sent
};

// The programs: forwards every node gets the root's packets, backwards the root gets their sums. A node that has no
// output of its own keeps what it must pass on in storage.
Task run_broadcast_stream(Node& me, const Stream& stream, const Problem& problem, NodeData data);
Task run_reduce_stream(Node& me, const Stream& stream, const Problem& problem, NodeData data);

}  // namespace dcube::detail
