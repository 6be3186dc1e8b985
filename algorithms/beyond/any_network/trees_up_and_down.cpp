// trees-up-and-down, trees-up-and-down-one: every block has a spanning tree; its partial sums go up to the tree's
// centre, and the sum comes down, all blocks side by side. All-reduce of m blocks on n nodes, any network.
//
// The trees share links (one port: nodes) evenly; list scheduling deals their moves out to steps, earlier blocks first.
// On a tree m - 1 + diameter steps, which is optimal. On others as many as the plan has: at least m times
// partition_bound(), which trees come near as m grows. 2m(n-1) transmissions, the least.
//
// Planning: packing the trees, and a few list schedules of their moves; one port: an augmenting matching a step.

#include "algorithms/beyond/any_network/tree_all_reduce.hpp"

#include "algorithms/beyond/any_network/centred_tree.hpp"
#include "algorithms/beyond/any_network/tighten.hpp"
#include "algorithms/families.hpp"
#include "base/planning.hpp"
#include "base/sizes.hpp"
#include "collectives/graphs/ordered_matching.hpp"
#include "collectives/graphs/spanning_trees.hpp"

#include <dcube/random.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>
#include <span>
#include <tuple>
#include <utility>

namespace dcube::detail {

namespace {

// One port: a partner's move more to come counts as much as this much more urgency.
constexpr std::int64_t urgency_of_a_move = 50;

struct WaitingMove {
    std::int64_t priority;
    TreeMove move;

    // A heap's first is its largest; of equals the earlier block's.
    friend bool operator<(const WaitingMove& a, const WaitingMove& b)
    {
        return std::tuple(a.priority, b.move.tree, b.move.node) < std::tuple(b.priority, a.move.tree, a.move.node);
    }
};

// Block b goes up and down tree b. Where several want a link (with one port: a node) the one with the largest
// left - urgency * block comes first, left the hops of the longest chain that waits for it.
class TreeListScheduling {
public:
    TreeListScheduling(const Arcs& arcs, PortModel ports, std::span<const CentredTree> trees, std::uint32_t urgency)
        : arcs_(arcs), ports_(ports), urgency_(urgency), traffic_(arcs, trees), waiting_(arcs.size()),
          left_at_(std::size_t{2} * arcs.nodes()), matching_(arcs, OrderedMatching::Takes::free_first)
    {
        for (const CentredTree& tree : trees)
            for (const CentredTree::Node& node : tree.nodes)
                if (node.up != CentredTree::no_arc)
                    count_both_ways(tree, node);
    }

    BlockPlan plan()
    {
        const auto ready = [this](const TreeMove& move) { make_ready(move); };
        plan_.moves.reserve(allocatable(traffic_.moves()));
        traffic_.begin(ready);
        while (plan_.moves.size() < traffic_.moves()) {
            planning("trees up and down",
                     static_cast<double>(plan_.moves.size()) / static_cast<double>(traffic_.moves()));
            ++plan_.steps;
            step();
            for (const TreeMove& move : made_)
                traffic_.arrive(move, ready);
        }
        return std::move(plan_);
    }

private:
    // Up and down; across a central link each end's own move is counted for itself.
    void count_both_ways(const CentredTree& tree, const CentredTree::Node& node)
    {
        count(node.up);
        if (!(node.depth == 0 && tree.has_two_centres()))
            count(arcs_.opposite(node.up));
    }
    void count(ArcId arc)
    {
        ++left_at_[matching_.sender(arc)];
        ++left_at_[matching_.receiver(arc)];
    }

    void make_ready(const TreeMove& move)
    {
        const std::int64_t priority = std::int64_t{move.left} - std::int64_t{urgency_} * move.tree;
        if (waiting_[move.arc].empty())
            usable_.push_back(move.arc);
        waiting_[move.arc].push({priority, move});
    }

    // One port: the ends with most moves to come first. Each prefers partners that have many to come themselves, and
    // arcs for which urgent moves wait.
    std::span<const ArcId> matched()
    {
        matching_.begin(usable_);
        asking_.clear();
        for (const OrderedMatching::End end : matching_.ends()) {
            const auto worth = [&](ArcId arc) {
                return urgency_of_a_move * left_at_[matching_.partner(end, arc)] + waiting_[arc].top().priority;
            };
            asking_.push_back({left_at_[end], static_cast<std::uint32_t>(ties_() >> 32), end});
            std::ranges::sort(matching_.choices(end), std::greater{},
                              [&](ArcId arc) { return std::pair(worth(arc), arc); });
        }
        std::ranges::sort(asking_, std::greater{});
        in_order_.clear();
        for (const auto& [left, tie, end] : asking_)
            in_order_.push_back(end);
        matching_.ask(in_order_);
        return matching_.chosen();
    }

    void step()
    {
        std::ranges::sort(usable_);
        made_.clear();
        for (const ArcId arc : ports_ == PortModel::all ? usable_ : matched()) {
            made_.push_back(waiting_[arc].top().move);
            waiting_[arc].pop();
            plan_.moves.push_back({plan_.steps, arc, made_.back().tree});
            --left_at_[matching_.sender(arc)];
            --left_at_[matching_.receiver(arc)];
        }
        std::erase_if(usable_, [this](ArcId arc) { return waiting_[arc].empty(); });
    }

    const Arcs& arcs_;
    PortModel ports_;
    std::uint32_t urgency_;
    TreeTraffic traffic_;
    std::vector<std::priority_queue<WaitingMove>> waiting_;  // by arc
    std::vector<ArcId> usable_;                              // those over which a move waits
    std::vector<std::uint32_t> left_at_;                     // moves to come, from and to each end of the matching
    OrderedMatching matching_;                               // one port
    std::vector<std::tuple<std::uint32_t, std::uint32_t, OrderedMatching::End>> asking_;  // moves to come, tie, end
    std::vector<OrderedMatching::End> in_order_;
    Random ties_{0};
    std::vector<TreeMove> made_;  // in this step
    BlockPlan plan_;
};

Phases phases_of_trees(const BlockPlan& plan, std::uint32_t blocks)
{
    return whole_run(
        plan.steps,
        {"up and down the trees",
         fmt::format("{} up a spanning tree{} as partial sums, and from the tree's centre comes down "
                     "again as the whole{}.",
                     blocks == 1 ? "The block goes" : fmt::format("Each of the {} blocks goes", blocks),
                     blocks == 1 ? "" : " of its own",
                     blocks == 1 ? "" : "; the trees share the links evenly, and earlier blocks go first")});
}

std::uint64_t work_of_trees(const Topology& topology, const Problem& problem, PortModel ports)
{
    const std::uint64_t arcs = topology.directed_links();
    const std::uint64_t moves = moves_of_blocks(topology, problem.packets);
    const std::uint64_t a_step = ports == PortModel::all ? arcs : 8 * arcs;
    return 2 * packing_work(arcs, problem.packets) + 12 * (20 * moves + 3 * problem.packets * a_step) +
           24 * tighten_work(moves);
}

}  // namespace

BlockPlan trees_up_and_down(const Arcs& arcs, PortModel ports, std::uint32_t blocks, std::uint64_t bound)
{
    BlockPlan best;
    if (arcs.members().size() < 2)
        return best;
    best.steps = ~Step{0};
    std::vector<std::vector<ArcId>> packed;
    for (const double flat : {0.02, 0.1, 0.5, 2.0, 4.0, 32.0}) {
        if (packed == std::exchange(packed, packed_trees(arcs, ports, blocks, flat)))
            continue;
        std::vector<CentredTree> trees;
        for (const std::vector<ArcId>& tree : packed)
            trees.push_back(centred(arcs, tree));
        for (const std::uint32_t urgency : {1000U, 200U, 2U, 0U}) {
            BlockPlan plan = TreeListScheduling(arcs, ports, trees, urgency).plan();
            plan.steps = tighten(arcs, ports, plan.moves, static_cast<Step>(bound));
            if (plan.steps < best.steps)
                best = std::move(plan);
            if (best.steps <= bound)
                return best;
        }
    }
    return best;
}

Entry trees_up_and_down_entry(PortModel ports)
{
    return block_plan_entry(
        {{.collective = Collective::all_reduce,
          .name = ports == PortModel::all ? "trees-up-and-down" : "trees-up-and-down-one",
          .ports = ports,
          .networks = Networks::no_hypercubes,
          .same_bits = true},
         {.paper = "textbook: packed spanning trees, list scheduling",
          .origin = Origin::dcube,
          .summary = "every block up a spanning tree of its own and down again, trees that share the links evenly",
          .idea = ports == PortModel::all
                      ? "Every block has a spanning tree: partial sums go up to its centre and the result comes down, "
                        "all blocks side by side, on trees that share the links evenly. Earlier blocks go first."
                      : "With one port: a spanning tree for every block, trees that share the nodes evenly; in every "
                        "step the nodes with the most left to do are matched first.",
          .formula = as_planned,
          .paper_note = ports == PortModel::all
                            ? "In none of the papers: trees that share links evenly come near the number of "
                              "Nash-Williams and Tutte (1961)."
                            : "In none of the papers: the trees share nodes as evenly as they can.",
          .planning_work = [ports](const Topology& topology,
                                   const Problem& problem) { return work_of_trees(topology, problem, ports); }}},
        [](const BlockQuestion& question) {
            const auto blocks = static_cast<std::uint32_t>(question.blocks);
            BlockPlan plan =
                trees_up_and_down(Arcs(question.topology), question.ports, blocks, all_reduce_bound(question));
            plan.phases = phases_of_trees(plan, blocks);
            return plan;
        });
}

}  // namespace dcube::detail
