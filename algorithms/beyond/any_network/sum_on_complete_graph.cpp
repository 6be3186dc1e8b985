// The sum of n blocks on a complete graph with one port, in ceil(log2 n) steps, the fewest, or one more.
//
// Nodes are taken together in groups that all know the sum of their own blocks: first every node alone. k groups become
// one when their members take the parts in an all-reduce of k nodes, first members with first members and so on: 2 in
// one step (recursive doubling), 3 in two, 5 in three. If n is a product of such k whose steps are ceil(log2 n)
// together, that is all. Otherwise n = q + r, q the largest power of 2 below n: r nodes give their blocks to their
// neighbours, which are q nodes then, and get the sum from them: floor(log2 n) + 2 steps, recursive doubling with
// folding.
//
// Neighbouring groups are taken together, so blocks stand in the sum in the order of the nodes. The exchange of 5 was
// found by search, which also shows that all-reduces of 7 nodes that make the same sums everywhere take 4 steps.

#include "algorithms/beyond/any_network/sum_plan.hpp"

#include "base/arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <tuple>

namespace dcube::detail {

namespace {

// An all-reduce of few parties. Values as in a SumPlan.
struct Exchange {
    struct Move {
        Step step;
        NodeId from;
        NodeId to;
        ValueId value;
    };
    NodeId parties;
    Step steps;
    std::span<const SumPlan::Sum> sums;
    std::span<const Move> moves;
};

constexpr SumPlan::Sum sum_of_2[] = {{0, 1}};
constexpr Exchange::Move moves_of_2[] = {{1, 0, 1, 0}, {1, 1, 0, 1}};
constexpr SumPlan::Sum sums_of_3[] = {{0, 1}, {3, 2}};
constexpr Exchange::Move moves_of_3[] = {{1, 0, 1, 0}, {1, 1, 2, 1}, {1, 2, 0, 2},
                                         {2, 0, 2, 0}, {2, 2, 1, 2}, {2, 1, 0, 1}};
constexpr SumPlan::Sum sums_of_5[] = {{0, 1}, {2, 3}, {5, 6}, {7, 4}};
constexpr Exchange::Move moves_of_5[] = {{1, 1, 0, 1}, {1, 0, 1, 0}, {1, 3, 2, 3}, {1, 4, 3, 4}, {1, 2, 4, 2},
                                         {2, 2, 0, 6}, {2, 3, 1, 4}, {2, 0, 2, 5}, {2, 1, 3, 5},  //
                                         {3, 3, 0, 4}, {3, 2, 1, 6}, {3, 1, 2, 4}, {3, 4, 3, 2}, {3, 0, 4, 7}};
constexpr Exchange exchanges[] = {
    {5, 3, sums_of_5, moves_of_5}, {3, 2, sums_of_3, moves_of_3}, {2, 1, sum_of_2, moves_of_2}};

// The exchanges that make one group of n; empty if they take more than ceil(log2 n) steps, or there are none.
std::vector<const Exchange*> optimal_exchanges(NodeId nodes)
{
    std::vector<const Exchange*> all;
    NodeId left = nodes;
    Step steps = 0;
    for (const Exchange& exchange : exchanges)
        for (; left % exchange.parties == 0; left /= exchange.parties) {
            all.push_back(&exchange);
            steps += exchange.steps;
        }
    if (left > 1 || steps > static_cast<Step>(std::bit_width(nodes - 1)))
        return {};
    return all;
}

struct Group {
    ValueId sum;
    std::vector<NodeId> members;
};

class GroupExchanges {
public:
    explicit GroupExchanges(const Arcs& arcs) : arcs_(arcs) { plan_.nodes = arcs.nodes(); }

    SumPlan operator()() &&
    {
        for (NodeId node = 0; node < plan_.nodes; ++node)
            groups_.push_back({node, {node}});
        const std::vector<const Exchange*> all = optimal_exchanges(plan_.nodes);
        if (all.empty()) {
            fold();
        } else {
            for (const Exchange* const exchange : all)
                take_together(*exchange);
        }
        std::ranges::stable_sort(plan_.moves.moves, {},
                                 [](const TimedMove& move) { return std::tuple(move.step, move.arc); });
        return std::move(plan_);
    }

private:
    // Folds the nodes beyond a power of two.
    void fold()
    {
        const NodeId core = std::bit_floor(plan_.nodes);
        const NodeId folded = plan_.nodes - core;
        plan_.moves.steps = 1;
        std::vector<Group> kept;
        for (NodeId node = 0; node < plan_.nodes; ++node) {
            kept.push_back({node, {node}});
            if (node < 2 * folded) {
                move(1, node + 1, node, node + 1);
                kept.back().sum = plan_.sum_of(node, node + 1);
                ++node;
            }
        }
        groups_ = std::move(kept);
        for (NodeId left = core; left > 1; left /= 2)
            take_together(exchanges[std::size(exchanges) - 1]);
        ++plan_.moves.steps;
        for (NodeId node = 0; node < 2 * folded; node += 2)
            move(plan_.steps(), node, node + 1, plan_.whole());
        plan_.how = fmt::format("{} of the {} nodes give their blocks to their neighbours, so that {} nodes are left; "
                                "these double the blocks in their sums in every step, and give the sum back.",
                                folded, plan_.nodes, core);
    }

    void take_together(const Exchange& exchange)
    {
        std::vector<Group> larger;
        for (auto first = groups_.begin(); first != groups_.end(); first += exchange.parties)
            larger.push_back(together(exchange, std::span(first, exchange.parties)));
        groups_ = std::move(larger);
        plan_.moves.steps += exchange.steps;
    }

    Group together(const Exchange& exchange, std::span<const Group> parties)
    {
        std::vector<ValueId> values;
        for (const Group& party : parties)
            values.push_back(party.sum);
        for (const auto& [first, second] : exchange.sums)
            values.push_back(plan_.sum_of(values[first], values[second]));
        Group all{values.back(), {}};
        for (const Group& party : parties)
            all.members.insert(all.members.end(), party.members.begin(), party.members.end());
        for (const auto& [step, from, to, value] : exchange.moves)
            for (std::size_t i = 0; i < parties.front().members.size(); ++i)
                move(plan_.steps() + step, parties[from].members[i], parties[to].members[i], values[value]);
        return all;
    }

    void move(Step step, NodeId from, NodeId to, ValueId value)
    {
        ArcId arc = arcs_.first_out(from);
        while (arcs_.to(arc) != to)
            ++arc;
        plan_.moves.moves.push_back({step, arc, value});
    }

    const Arcs& arcs_;
    SumPlan plan_;
    std::vector<Group> groups_;
};

}  // namespace

SumPlan sum_on_complete_graph(const Arcs& arcs)
{
    SumPlan plan = GroupExchanges(arcs)();
    if (plan.how.empty())
        plan.how = "Groups that know their sums are taken together: two in one step, whose members swap the sums of "
                   "their groups and add, three in two steps, five in three.";
    return plan;
}

}  // namespace dcube::detail
