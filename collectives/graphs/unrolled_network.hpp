#pragma once
// The network unrolled in time, in which a gather's packets flow to the root: place (t, v) is node v after t steps.
// Arcs lead from (t-1, u) to (t, v) and take one packet; waiting from (t-1, v) to (t, v) takes any number. Only what
// flows in the network is kept, the network itself is not built. Boost's push_relabel_max_flow would need it built,
// which takes longer than the search here (128 nodes, 977 steps: 1.2 s and 1.5 s for the flow, 0.9 s here).

#include "collectives/graphs/arcs.hpp"
#include "collectives/graphs/unrolled_flow.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace dcube::detail {

class UnrolledNetwork {
public:
    UnrolledNetwork(const Arcs& arcs, NodeId root, const PacketsByNode& packets, Step steps);

    // A packet of the node `target` goes this walk to the root, in time and where there is room.
    void add(const Walk& gather);
    // Finds room for all other packets, if there is some, by the largest flow (Dinic).
    bool complete();
    // If the flow is complete: the packets' walks to the root, those of a node side by side.
    [[nodiscard]] std::vector<Walk> walks() const;

private:
    using Place = std::uint32_t;

    [[nodiscard]] NodeId node_of(Place place) const { return place % nodes_; }
    [[nodiscard]] Step step_of(Place place) const { return place / nodes_; }
    [[nodiscard]] Place end() const { return steps_ * nodes_ + root_; }
    [[nodiscard]] bool carries(Step step, ArcId arc) const { return carries_[slot(step, arc)]; }
    [[nodiscard]] std::size_t slot(Step step, ArcId arc) const { return (step - std::size_t{1}) * arcs_.size() + arc; }

    // Moves of the residual network: an arc of the node, waiting, an arc that came in taken back, waiting taken back.
    [[nodiscard]] std::uint32_t moves(Place place) const { return 2 * arcs_.degree(node_of(place)) + 2; }
    // The place that a move leads to, if it can be made.
    [[nodiscard]] std::optional<Place> after(Place place, std::uint32_t move) const;
    void make(Place place, std::uint32_t move);
    bool measure_levels();
    bool augment(Place start);
    void cut_loops(Walk& walk) const;

    const Arcs& arcs_;
    NodeId root_;
    NodeId nodes_;
    Step steps_;
    std::vector<bool> carries_;           // by step and arc
    std::vector<std::uint32_t> waiting_;  // at every place, for the next step
    std::vector<std::uint32_t> supply_;   // by node, the packets that have no walk yet
    std::vector<std::uint32_t> level_;    // by place
    std::vector<std::uint32_t> next_;     // by place; the moves before it have been tried in vain
    std::vector<Place> queue_;
    PacketsByNode packets_;
    std::uint64_t missing_ = 0;
};

}  // namespace dcube::detail
