// window-sums: all-reduce on a ring of n nodes, a block in floor(n/2) steps, which is the diameter. All ports.
//
// Every node's share goes round both ways, a node per step, and so does the window whose shares a node has had: in step
// t those of the t nodes on either side have come. It keeps sums over parts of the window, at most two for every power
// of two, and all nodes part theirs at the same places (pairwise_sum.hpp). So all of them add up in the same order and
// have the same bits, also of floats: with the sums over whole windows in the packets, every node would have an order
// of its own. For even n the last step goes to the right only. n (n-1) transmissions per block: the price of few steps.
//
// Planning: none, a ring's nodes all do the same.

#include "algorithms/beyond/any_network/tree_all_reduce.hpp"
#include "algorithms/beyond/products/factor_sums.hpp"

#include <string>

namespace dcube::detail {

FactorSums window_sums(NodeId nodes)
{
    using enum FactorSums::Action::Kind;
    constexpr Port right = 0;
    constexpr Port left = 1;
    const Step steps = nodes / 2;
    const bool even = nodes % 2 == 0;
    // Two places each, because what came in the step before is still being read. Place 0 has the node's own.
    const auto from_left = [](Step t) { return static_cast<std::uint8_t>(t == 0 ? 0 : 1 + t % 2); };
    const auto from_right = [](Step t) { return static_cast<std::uint8_t>(t == 0 ? 0 : 3 + t % 2); };
    FactorSums sums{.in_pairs = nodes,
                    .steps = steps,
                    .transmissions = std::uint64_t{nodes} * (nodes - 1),
                    .nodes = std::vector<FactorSums::NodeSums>(1)};
    std::vector<FactorSums::Stage>& stages = sums.nodes.front().stages;
    for (Step t = 1; t <= steps; ++t) {
        FactorSums::Stage& stage = stages.emplace_back();
        stage.sends.push_back({send, from_left(t - 1), 0, right});
        stage.arrivals.push_back({share, from_left(t), 0, left, nodes - t});
        if (even && t == steps)
            break;
        stage.sends.push_back({send, from_right(t - 1), 0, left});
        stage.arrivals.push_back({share, from_right(t), 0, right, t});
    }
    sums.nodes.front().result = from_left(steps);
    return sums;
}

Entry window_sums_entry()
{
    return dimensions_entry(
        {{.collective = Collective::all_reduce,
          .name = "window-sums",
          .networks = Networks::no_hypercubes,
          .keeps_order = true,
          .same_bits = true,
          .obstacle = [](const Topology& topology, const Problem&) -> std::string {
              const bool ring = topology.dimension() == 1 && topology.factor(0).kind() == Graph::Kind::ring;
              return ring ? "" : "it is for rings";
          }},
         {.paper = "textbook: sums over windows of a ring",
          .origin = Origin::dcube,
          .summary = "on a ring: sums over windows that grow by one node per step, in both directions at once",
          .idea =
              "On a ring every node's block goes round both ways, one node per step. What a node has had is a window "
              "that grows on both sides; of its blocks it makes sums of two, four, eight, .. neighbours, all nodes of "
              "the same ones.",
          .formula = {.words = "floor(n/2) steps per block, the diameter"},
          .paper_note = "In none of the papers: sums over growing windows are ours."}});
}

}  // namespace dcube::detail
