#include "algorithms/beyond/products/factor_sums.hpp"

#include "algorithms/beyond/any_network/tree_all_reduce.hpp"
#include "algorithms/networks.hpp"

#include <dcube/topology.hpp>

#include <cstddef>

namespace dcube::detail {

namespace {

using SumAction = FactorSums::Action;

// Every node sends its block directly to every other node.
FactorSums direct_sums(const Graph& graph)
{
    FactorSums sums{.in_pairs = graph.nodes(),
                    .steps = 1,
                    .transmissions = graph.directed_links(),
                    .nodes = std::vector<FactorSums::NodeSums>(1)};
    constexpr std::uint8_t place = 1;
    FactorSums::Stage& stage = sums.nodes.front().stages.emplace_back();
    for (Port port = 0; port < graph.ports(0); ++port) {
        stage.sends.push_back({SumAction::Kind::send, 0, 0, port});
        stage.arrivals.push_back({SumAction::Kind::share, place, 0, port, port + 1});
    }
    sums.nodes.front().result = place;
    return sums;
}

// Settles at which place every sum of a plan of one block lies.
class SettledPlan {
public:
    SettledPlan(const Graph& graph, const BlockPlan& plan) : arcs_(Topology::product({graph})), nodes_(graph.nodes())
    {
        sums_.steps = plan.steps;
        sums_.transmissions = plan.moves.size();
        sums_.nodes.resize(graph.nodes());
        for (FactorSums::NodeSums& node : sums_.nodes)
            node.stages.resize(plan.steps);
        for (std::size_t i = 0; i < plan.moves.size();) {
            std::size_t end = i;
            for (; end < plan.moves.size() && plan.moves[end].step == plan.moves[i].step; ++end)
                send(plan.moves[end]);
            for (; i < end; ++i)
                arrive(plan.moves[i]);
        }
        for (NodeId node = 0; node < graph.nodes(); ++node)
            sums_.nodes[node].result = nodes_[node].place;
    }

    FactorSums take() { return std::move(sums_); }

private:
    struct NodeState {
        std::uint8_t place = 0;
        NodeId shares = 1;  // in the sum that is there
        NodeId sent = 0;    // shares in what it sends in this step
        Step last_sent[places_of_sums] = {};
    };

    void send(const TimedMove& move)
    {
        NodeState& from = nodes_[arcs_.from(move.arc)];
        from.sent = from.shares;
        from.last_sent[from.place] = move.step;
        stage(arcs_.from(move.arc), move.step)
            .sends.push_back({SumAction::Kind::send, from.place, 0, arcs_.port(move.arc)});
    }

    void arrive(const TimedMove& move)
    {
        const NodeId node = arcs_.to(move.arc);
        NodeState& at = nodes_[node];
        const NodeId arrived = nodes_[arcs_.from(move.arc)].sent;
        const bool whole = arrived == nodes_.size();
        const std::uint8_t base = at.place;
        if (base == 0 || at.last_sent[base] == move.step)
            at.place = free_place(at, move.step);
        at.shares = whole ? arrived : at.shares + arrived;
        stage(node, move.step)
            .arrivals.push_back({whole ? SumAction::Kind::keep : SumAction::Kind::add, at.place, base,
                                 arcs_.port(arcs_.opposite(move.arc))});
    }

    // A place that is neither the current one nor still being read.
    static std::uint8_t free_place(const NodeState& at, Step step)
    {
        std::uint8_t place = 1;
        while (place == at.place || at.last_sent[place] == step)
            ++place;
        return place;
    }

    FactorSums::Stage& stage(NodeId node, Step step) { return sums_.nodes[node].stages[step - 1]; }

    Arcs arcs_;
    std::vector<NodeState> nodes_;
    FactorSums sums_;
};

}  // namespace

FactorSums factor_sums(const Graph& graph)
{
    switch (graph.kind()) {
    case Graph::Kind::ring: return window_sums(graph.nodes());
    case Graph::Kind::complete: return direct_sums(graph);
    case Graph::Kind::path:
    case Graph::Kind::group:
    case Graph::Kind::list: break;
    }
    const Topology alone = Topology::product({graph});
    return SettledPlan(graph, spread_twice(Arcs(alone), PortModel::all, 1, graph.diameter())).take();
}

std::uint64_t work_of_factor(const Graph& graph)
{
    return is_ring_or_complete(graph) ? 0 : work_of_spreads(graph.nodes(), graph.directed_links(), PortModel::all, 1);
}

}  // namespace dcube::detail
