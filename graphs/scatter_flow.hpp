#pragma once
// What a scatter sends over every arc, whenever that is: a flow that does not know of steps.

#include "graphs/arcs.hpp"
#include "graphs/residual_search.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace dcube::detail {

// `packets` from the root to every other member. Nothing is at node u before step hops(u), so that in T steps an arc
// that leaves u takes T - hops(u) packets at most. Among such flows it is one of fewest hops; it has no cycles.
class ScatterFlow {
public:
    ScatterFlow(const Arcs& arcs, NodeId root, std::uint64_t packets, std::uint64_t steps);

    // Whether all packets find room; if not, no scatter takes `steps` steps.
    [[nodiscard]] bool is_complete() const { return missing_ == 0; }
    [[nodiscard]] std::uint64_t load(ArcId arc) const { return load_[arc]; }
    // Of a flow that is not complete: the root's side of a cut that the packets for the other side cannot pass in time.
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

// A lower bound of the steps that a scatter from the root takes on all ports, and a gather. It is the last of the steps
// that these nodes' packets need to come in: `inside` has the root.
struct ScatterCut {
    std::uint64_t steps = 0;
    std::vector<bool> inside{};
};
ScatterCut scatter_cut(const Arcs& arcs, NodeId root, std::uint64_t packets);

}  // namespace dcube::detail
