#pragma once
// Barriers: which nodes have heard of which. A packet is empty, and what it says follows from who sent it and when: its
// sender has begun, and so have all nodes that its sender had heard of.

#include <dcube/link.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace dcube {

class Heard {
public:
    /// Before the first packet every node has heard of itself.
    Heard(const Topology& topology, LinkKind links);

    /// A packet is sent in this step, not before the steps of earlier calls. On links that take time it leaves at
    /// `start`, and has arrived at `end`; where only steps are known, both are the step.
    void carry(Step step, NodeId from, NodeId to, Time start, Time end);

    /// The first member of which a node has not heard in the end, of those for which `counts` returns true.
    [[nodiscard]] std::optional<NodeId> first_unheard(
        NodeId node, const std::function<bool(NodeId)>& counts = [](NodeId) { return true; }) const;

    /// The memory that this many packets take at most, in bytes.
    static double bytes(const Topology& topology, double packets);

private:
    using Set = std::vector<std::uint64_t>;  // a bit for each member
    struct Arrival {
        Step step;
        Time end;
        Set heard;  // of which the sender had heard
    };

    [[nodiscard]] Set heard_by(NodeId node, Step step, Time start);

    Topology topology_;
    bool timed_;
    std::vector<Set> heard_;                      // by node: of which it has heard before any later packet leaves
    std::vector<std::vector<Arrival>> arrivals_;  // by node: the others
};

}  // namespace dcube
