// window-sums: all-reduce on a ring of n nodes, a block in floor(n/2) steps, which is the diameter. All ports.
//
// Every node keeps the sum of the window that ends with itself, and of the one that begins there. In step t it sends
// the first to the right and the second to the left, each of t nodes; what arrives from the left and its own make the
// first one of t + 1 nodes, and mirrored. So three sums of one block are at a node at once: its own, and two that are
// no parts of each other. In the end one window and what arrives from the other side are all nodes: for even n the last
// step goes to the right only. n (n-1) transmissions a block: the price of few steps.
//
// Planning: none, a ring's nodes all do the same.

#include "algorithms/any_network/factor_sums.hpp"
#include "algorithms/any_network/tree_all_reduce.hpp"

#include <string>

namespace dcube::detail {

FactorSums window_sums(NodeId nodes)
{
    using enum FactorSums::Action::Kind;
    constexpr Port right = 0;
    constexpr Port left = 1;
    const Step steps = nodes / 2;
    const bool even = nodes % 2 == 0;
    // Two places each, because the last sum is still being read while the next one is made.
    const auto ending_here = [](Step t) { return static_cast<std::uint8_t>(t == 0 ? 0 : 1 + t % 2); };
    const auto beginning_here = [](Step t) { return static_cast<std::uint8_t>(t == 0 ? 0 : 3 + t % 2); };
    FactorSums sums{.steps = steps,
                    .transmissions = std::uint64_t{nodes} * (nodes - 1),
                    .nodes = std::vector<FactorSums::NodeSums>(1)};
    std::vector<FactorSums::Stage>& stages = sums.nodes.front().stages;
    for (Step t = 1; t <= steps; ++t) {
        FactorSums::Stage& stage = stages.emplace_back();
        stage.sends.push_back({send, ending_here(t - 1), 0, right});
        if (even && t == steps)
            break;
        stage.sends.push_back({send, beginning_here(t - 1), 0, left});
        stage.arrivals.push_back({add, ending_here(t), 0, left});
        if (t < steps)
            stage.arrivals.push_back({add, beginning_here(t), 0, right});
    }
    const std::uint8_t window = even ? beginning_here(steps - 1) : ending_here(steps);
    stages.back().arrivals.push_back({add, window, window, even ? left : right});
    sums.nodes.front().result = window;
    return sums;
}

Algorithm window_sums_entry()
{
    return dimensions_entry({
        .collective = Collective::all_reduce,
        .name = "window-sums",
        .paper = "well known: sums over windows of a ring",
        .origin = Origin::dcube,
        .summary = "on a ring: sums over windows that grow by a node a step, in both directions at once",
        .idea = "On a ring every node keeps the sum of the window that ends with itself and of the one that begins "
                "there. Both grow by a node a step, and meet on the other side.",
        .formula = {.words = "floor(n/2) steps a block, the diameter"},
        .paper_note = "In none of the papers: sums over growing windows are ours.",
        .networks = Networks::no_hypercubes,
        .obstacle = [](const Topology& topology, const Problem&) -> std::string {
            const bool ring = topology.dimension() == 1 && topology.factor(0).kind() == Graph::Kind::ring;
            return ring ? "" : "it is for rings";
        },
    });
}

}  // namespace dcube::detail
