// The sum of all nodes' blocks on any connected network, a block at a time: the best of
//
//   merged groups   in every step pairs of groups of nodes become one: every member has a partner in the other group,
//                   with which it swaps the sums of their groups. On a hypercube that is recursive doubling.
//                   After any number of such steps the sums of all groups spread to all nodes, from all members of
//                   their groups, and every node adds them up. After none that is an all-gather.
//   a tree          a spread from one or two centres, backwards and forwards
//
// The trees are for sparse and irregular networks, the groups for dense and regular ones.

#include "algorithms/beyond/any_network/sum_plan.hpp"

#include "algorithms/beyond/any_network/spread.hpp"
#include "algorithms/beyond/any_network/tree_all_reduce.hpp"
#include "base/arithmetic.hpp"
#include "base/numbers.hpp"
#include "base/planning.hpp"

#include <dcube/random.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace dcube::detail {

namespace {

constexpr unsigned pairings = 16;  // the number that are tried

struct MergedGroup {
    ValueId sum;
    std::vector<NodeId> members;  // ascending
};

// Partners of all members of one group in another one, as arcs; none if there are none for all.
class Partners {
public:
    explicit Partners(const Arcs& arcs) : arcs_(arcs), arc_to_(arcs.nodes()), place_(arcs.nodes()) {}

    std::optional<std::vector<ArcId>> operator()(const MergedGroup& from, const MergedGroup& to)
    {
        if (from.members.size() != to.members.size())
            return std::nullopt;
        std::ranges::fill(place_, outside);
        for (const NodeId node : to.members)
            place_[node] = unmatched;
        for (const NodeId node : from.members) {
            std::vector<NodeId> seen;
            if (!match(node, seen))
                return std::nullopt;
        }
        std::vector<ArcId> arcs;
        for (const NodeId node : to.members)
            arcs.push_back(arc_to_[node]);
        return arcs;
    }

private:
    static constexpr std::uint8_t outside = 0;
    static constexpr std::uint8_t unmatched = 1;
    static constexpr std::uint8_t matched = 2;

    // Matches a node by augmenting paths.
    bool match(NodeId node, std::vector<NodeId>& seen)
    {
        for (ArcId arc = arcs_.first_out(node), end = arc + arcs_.degree(node); arc != end; ++arc) {
            const NodeId to = arcs_.to(arc);
            if (place_[to] == outside || std::ranges::find(seen, to) != seen.end())
                continue;
            seen.push_back(to);
            if (place_[to] == unmatched || match(arcs_.from(arc_to_[to]), seen)) {
                place_[to] = matched;
                arc_to_[to] = arc;
                return true;
            }
        }
        return false;
    }

    const Arcs& arcs_;
    std::vector<ArcId> arc_to_;
    std::vector<std::uint8_t> place_;
};

// Groups that become one in a step, and the arcs from the first to the second.
struct Pair {
    std::size_t first;
    std::size_t second;
    std::vector<ArcId> arcs;
};

// The groups that have partners for each other, and pairs of them, as many as are found.
class GroupPairs {
public:
    GroupPairs(const Arcs& arcs, const std::vector<MergedGroup>& groups) : near_(groups.size())
    {
        std::vector<std::size_t> group_of(arcs.nodes());
        for (std::size_t i = 0; i < groups.size(); ++i)
            for (const NodeId node : groups[i].members)
                group_of[node] = i;
        Partners partners(arcs);
        for (std::size_t i = 0; i < groups.size(); ++i) {
            planning("merged groups: partners", 0);
            std::vector<std::size_t> others;
            for_each_out(arcs, groups[i].members.front(), [&](ArcId arc) { others.push_back(group_of[arcs.to(arc)]); });
            std::ranges::sort(others);
            others.erase(std::ranges::unique(others).begin(), others.end());
            for (const std::size_t other : others)
                if (other > i)
                    if (auto found = partners(groups[i], groups[other])) {
                        near_[i].emplace(other, std::move(*found));
                        near_[other].emplace(i, std::vector<ArcId>());
                    }
        }
    }

    // Groups with the fewest choices choose first, among those with the fewest; ties at random.
    [[nodiscard]] std::vector<Pair> pairs() const
    {
        std::vector<Pair> best;
        Random random(41);
        for (unsigned i = 0; i < pairings && 2 * best.size() + 1 < near_.size(); ++i)
            if (std::vector<Pair> found = attempt(random); found.size() > best.size())
                best = std::move(found);
        return best;
    }

private:
    [[nodiscard]] std::vector<Pair> attempt(Random& random) const
    {
        std::vector<std::size_t> choices(near_.size());
        std::ranges::transform(near_, choices.begin(), [](const auto& others) { return others.size(); });
        std::vector<bool> taken(near_.size());
        std::vector<std::size_t> order(near_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        random.shuffle(std::span(order));
        const auto fewest_choices = [&](const auto& candidates) {
            std::optional<std::size_t> best;
            for (const std::size_t one : candidates)
                if (!taken[one] && choices[one] > 0 && (!best || choices[one] < choices[*best]))
                    best = one;
            return best;
        };
        std::vector<Pair> found;
        while (const std::optional<std::size_t> one = fewest_choices(order)) {
            std::vector<std::size_t> others;
            for (const std::size_t other : order)
                if (near_[*one].contains(other))
                    others.push_back(other);
            const std::size_t other = *fewest_choices(others);
            found.push_back({std::min(*one, other), std::max(*one, other), {}});
            found.back().arcs = near_[found.back().first].at(found.back().second);
            for (const std::size_t done : {*one, other}) {
                taken[done] = true;
                for (const auto& [beside, arcs] : near_[done])
                    --choices[beside];
            }
        }
        return found;
    }

    std::vector<std::map<std::size_t, std::vector<ArcId>>> near_;  // arcs to groups of larger numbers only
};

class MergingGroups {
public:
    MergingGroups(const Arcs& arcs, PortModel ports) : arcs_(arcs), ports_(ports)
    {
        plan_.nodes = arcs.nodes();
        for (NodeId node = 0; node < plan_.nodes; ++node)
            groups_.push_back({node, {node}});
    }

    [[nodiscard]] std::size_t groups() const { return groups_.size(); }
    [[nodiscard]] Step merged_in() const { return plan_.steps(); }

    // False if that takes too long, or all nodes, or no two groups can.
    bool merge()
    {
        const std::vector<Pair> pairs = GroupPairs(arcs_, groups_).pairs();
        if (pairs.empty())
            return false;
        const Step step = ++plan_.moves.steps;
        for (const auto& [first, second, arcs] : pairs) {
            MergedGroup& all = groups_[first];
            MergedGroup& other = groups_[second];
            for (const ArcId arc : arcs) {
                plan_.moves.moves.push_back({step, arc, all.sum});
                plan_.moves.moves.push_back({step, arcs_.opposite(arc), other.sum});
            }
            all.sum = plan_.sum_of(all.sum, other.sum);
            all.members.insert(all.members.end(), other.members.begin(), other.members.end());
            std::ranges::sort(all.members);
            other.members.clear();
        }
        std::erase_if(groups_, [](const MergedGroup& group) { return group.members.empty(); });
        return true;
    }

    // The least steps of a spread of all groups' sums.
    [[nodiscard]] Step least_of_spread() const
    {
        std::size_t most = 0;
        for (NodeId node = 0; node < plan_.nodes; ++node)
            most = std::max(most, ceil_div<std::size_t>(groups_.size() - 1, links_in_use(node)));
        return static_cast<Step>(most);
    }

    // The plan in which the groups as they are now spread; none if it does not take fewer steps than `below`.
    [[nodiscard]] std::optional<SumPlan> spread_from_all(Step below) const
    {
        if (merged_in() + least_of_spread() >= below || groups_.size() > most_groups_that_spread)
            return std::nullopt;
        SumPlan plan = plan_;
        std::vector<ValueId> sums;
        std::vector<std::vector<NodeId>> holders;
        for (const MergedGroup& group : groups_) {
            sums.push_back(group.sum);
            holders.push_back(group.members);
        }
        if (sums.size() > 1) {
            const auto found = spread(arcs_, ports_, holders, least_of_spread(), below - merged_in());
            if (!found)
                return std::nullopt;
            for (const auto& [step, arc, packet] : found->moves)
                plan.moves.moves.push_back({merged_in() + step, arc, sums[packet]});
            plan.moves.steps += found->steps;
            plan.sum_of(sums);
        }
        plan.how = described();
        return plan;
    }

private:
    [[nodiscard]] std::size_t links_in_use(NodeId node) const
    {
        return ports_ == PortModel::one ? 1 : arcs_.degree(node);
    }

    [[nodiscard]] std::string described() const
    {
        if (merged_in() == 0)
            return fmt::format("The blocks of {} spread to all nodes, which add them up.",
                               counted(groups_.size(), "node"));
        const std::string merged =
            fmt::format("In {} pairs of groups of nodes become one, partners swapping the sums of their groups",
                        counted(merged_in(), "step"));
        return groups_.size() == 1 ? merged + "."
                                   : fmt::format("{}; then the sums of {} spread to all nodes, which add them up.",
                                                 merged, counted(groups_.size(), "group"));
    }

    const Arcs& arcs_;
    PortModel ports_;
    SumPlan plan_;
    std::vector<MergedGroup> groups_;  // by their first members
};

// A plan in which a node sends all that it holds, as values.
SumPlan along_tree(const Arcs& arcs, PortModel ports, Step fewest)
{
    BlockPlan tree = spread_twice(arcs, ports, 1, fewest);
    std::ranges::stable_sort(tree.moves, {}, &TimedMove::step);
    SumPlan plan{.nodes = arcs.nodes(), .moves = {tree.steps, std::move(tree.moves)}};
    std::vector<ValueId> held(plan.nodes);
    std::iota(held.begin(), held.end(), ValueId{0});
    std::vector<NodeId> shares(plan.nodes, 1);  // in every value
    std::vector<TimedMove>& moves = plan.moves.moves;
    for (std::size_t i = 0; i < moves.size();) {
        std::size_t end = i;
        for (; end < moves.size() && moves[end].step == moves[i].step; ++end)
            moves[end].packet = held[arcs.from(moves[end].arc)];
        for (; i < end; ++i) {
            ValueId& here = held[arcs.to(moves[i].arc)];
            const ValueId other = moves[i].packet;
            if (shares[other] == plan.nodes) {
                here = other;
                continue;
            }
            const NodeId together = shares[here] + shares[other];
            here = plan.sum_of(std::min(here, other), std::max(here, other));
            shares.resize(plan.nodes + plan.sums.size());
            shares[here] = together;
        }
    }
    plan.how = "The blocks move towards a centre, are added on the way, and the sum goes back.";
    return plan;
}

// No node knows all sooner.
Step fewest_steps(const Arcs& arcs, PortModel ports)
{
    std::uint32_t far = 0;
    for (const NodeId node : arcs.members())
        far = std::max(far, std::ranges::max(hops_from(arcs, node)));
    const auto doublings = static_cast<Step>(std::bit_width(arcs.nodes() - 1));
    return ports == PortModel::one ? std::max<Step>(far, doublings) : far;
}

}  // namespace

SumPlan sum_on_network(const Arcs& arcs, PortModel ports, SumOrder order)
{
    const Step fewest = fewest_steps(arcs, ports);
    std::optional<SumPlan> best;
    const auto keep = [&](std::optional<SumPlan> plan) {
        if (plan && (order == SumOrder::any || keeps_order(*plan)) && (!best || plan->steps() < best->steps()))
            best = std::move(plan);
    };
    keep(along_tree(arcs, ports, fewest));
    MergingGroups merging(arcs, ports);
    do {
        if (best && best->steps() <= fewest)
            break;
        keep(merging.spread_from_all(best ? best->steps() : ~Step{0}));
    } while (merging.groups() > 1 && (!best || merging.merged_in() + 1 < best->steps()) && merging.merge());
    return std::move(*best);
}

std::uint64_t work_of_sum(std::uint64_t nodes, std::uint64_t arcs, PortModel ports)
{
    std::uint64_t work = work_of_spreads(nodes, arcs, ports, 1) + nodes * arcs;
    for (std::uint64_t groups = nodes; groups > 1; groups = ceil_div<std::uint64_t>(groups, 2))
        work += pairings * groups * arcs +
                (groups <= most_groups_that_spread ? spread_work(nodes, arcs, ports, groups) : 0);
    return work;
}

}  // namespace dcube::detail
