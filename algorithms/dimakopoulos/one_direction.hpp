#pragma once
// Packets that all move in one direction along a path or round a ring.

#include "algorithms/programs/schedule.hpp"

#include <dcube/graph.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace dcube::detail {

// On each link the packet that has the most hops left goes first, of these the one that has come farthest.
class OneDirection {
public:
    explicit OneDirection(const Graph& graph) : graph_(graph), waiting_(graph.nodes()) {}

    void add(NodeId origin, NodeId target, NodeId hops) { waiting_[origin].push_back({hops, 0, origin, target}); }

    // Everything moves over `port(node)`, from step `first` on; returns the step after the last. Calls emit(hop).
    template <class PortOf, class Emit>
    Step run(Step first, const PortOf& port, const Emit& emit)
    {
        for (Step step = first;; ++step) {
            std::vector<std::pair<NodeId, Packet>> arriving;
            for (NodeId node = 0; node < graph_.nodes(); ++node) {
                std::vector<Packet>& here = waiting_[node];
                if (here.empty())
                    continue;
                const auto next = std::ranges::max_element(
                    here, {}, [](const Packet& packet) { return std::pair(packet.left, packet.made); });
                emit(Hop{step, node, port(node), {next->origin, next->target, 0}});
                if (next->left > 1)
                    arriving.emplace_back(graph_.neighbour(node, port(node)),
                                          Packet{next->left - 1, next->made + 1, next->origin, next->target});
                *next = here.back();
                here.pop_back();
            }
            for (const auto& [node, packet] : arriving)
                waiting_[node].push_back(packet);
            if (std::ranges::all_of(waiting_, [](const auto& here) { return here.empty(); }))
                return step + 1;
        }
    }

private:
    struct Packet {
        NodeId left;  // hops
        NodeId made;
        NodeId origin;
        NodeId target;
    };

    const Graph& graph_;
    std::vector<std::vector<Packet>> waiting_;
};

}  // namespace dcube::detail
