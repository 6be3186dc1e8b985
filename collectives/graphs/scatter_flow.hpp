#pragma once
// The packets that a scatter sends over every arc, regardless of when: a flow without steps.

#include "collectives/graphs/arcs.hpp"
#include "collectives/graphs/residual_search.hpp"
#include "collectives/graphs/unrolled_flow.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace dcube::detail {

// As many packets as `packets` says from the root to every other member. Nothing is at node u before step hops(u), so
// that in T steps an arc that leaves u takes T - hops(u) packets at most. Among such flows it is one of fewest hops; it
// has no cycles.
class ScatterFlow {
public:
    ScatterFlow(const Arcs& arcs, NodeId root, const PacketsByNode& packets, std::uint64_t steps);

    // Whether all packets find room; if not, no scatter takes `steps` steps.
    [[nodiscard]] bool is_complete() const { return missing_ == 0; }
    [[nodiscard]] std::uint64_t load(ArcId arc) const { return load_[arc]; }
    // If the flow is not complete: whether the node is on the root's side of a cut that the packets for the other side
    // cannot pass in time.
    [[nodiscard]] bool is_inside(NodeId node) const { return search_.was_reached(node); }

private:
    struct Room {
        int cost;
        std::uint64_t packets;
    };
    [[nodiscard]] Room room(ArcId arc) const;
    // Sends along shortest paths what finds room there.
    void augment_all();
    std::optional<ArcId> next_arc(NodeId node);
    void send(const std::vector<ArcId>& path, NodeId to);

    const Arcs& arcs_;
    NodeId root_;
    std::vector<std::uint64_t> capacity_;
    std::vector<std::uint64_t> load_;
    std::vector<std::uint64_t> wanted_;  // by every node, still
    std::uint64_t missing_ = 0;
    ResidualSearch search_;
    std::vector<ArcId> next_;
    std::vector<bool> on_path_;
};

// A lower bound on the steps of a scatter from the root on all ports, and of a gather: the number of steps that the
// packets for the nodes outside need to cross the cut. The root is in `inside`.
struct ScatterCut {
    std::uint64_t steps = 0;
    std::vector<bool> inside{};
};
ScatterCut scatter_cut(const Arcs& arcs, NodeId root, const PacketsByNode& packets);

// A gather whose loads are known, dealt out to steps. It goes backwards over the arcs of a complete flow: every node
// sends what it has as long as its arcs have load left. Where a node has more such arcs than packets, the arcs go first
// that can least wait if all is to be done in `steps`. It does not matter whose packet goes where, because all packets
// go to the root. The gather may take longer than `steps`.
//
// If all nodes have packets to begin with and all paths belong to one tree it never does: as long as a subtree has
// something left, its arc to the root is busy. Many packets are therefore no harder than few.
std::vector<Walk> round_robin_gather(const Arcs& arcs, NodeId root, const PacketsByNode& packets,
                                     const ScatterFlow& flow, Step steps);

// The step in which the last packet arrives.
Step steps_of(const std::vector<Walk>& gather);

}  // namespace dcube::detail
