// spread-twice, spread-twice-one: every block has a root, the sums come to it as its spread backwards, and the whole is
// spread again: 2 T steps, T those of the spread from all roots at once. Or two neighbours are its centres, each of
// which sums up a part: they exchange in the middle, 2 T + 1 steps. All-reduce of m blocks on n nodes, any network.
//
// The best for regular networks. 2m(n-1) transmissions, the least.
//
// Planning: a few choices of centres; for each what spread() takes.

#include "algorithms/beyond/any_network/tree_all_reduce.hpp"

#include "algorithms/beyond/any_network/spread.hpp"
#include "algorithms/beyond/any_network/tighten.hpp"
#include "base/arithmetic.hpp"
#include "base/planning.hpp"

#include <dcube/random.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>

namespace dcube::detail {

namespace {

constexpr unsigned random_centre_choices = 5;
constexpr unsigned central_choices = 6;
constexpr std::size_t most_thorough_spreads = 3;
constexpr std::uint64_t most_link_searches = std::uint64_t{1} << 30;  // hops that are looked at

// The centres of the blocks, in turn. The two of a pair exchange; of blocks that have the same pair one after the
// other.
struct Centres {
    std::vector<std::vector<NodeId>> of_turn;
    std::vector<ArcId> links{};  // of pairs: from the first to the second
};

Step exchange_steps(const Centres& centres, std::uint32_t blocks)
{
    return centres.links.empty() ? 0 : static_cast<Step>(ceil_div<std::size_t>(blocks, centres.links.size()));
}

// The choices that are tried: the nodes, or links, from which all are near come first; those with many links; any.
class CentreChoices {
public:
    CentreChoices(const Arcs& arcs, PortModel ports, std::uint32_t blocks)
        : arcs_(arcs), ports_(ports), blocks_(blocks), far_(arcs.nodes())
    {
        for (const NodeId node : arcs.members())
            far_[node] = farness(std::array{node});
    }

    [[nodiscard]] std::vector<Centres> single() const
    {
        std::vector<NodeId> nodes(arcs_.members().begin(), arcs_.members().end());
        std::vector<Centres> choices;
        std::ranges::stable_sort(nodes, {}, [this](NodeId node) { return far_[node]; });
        choices.push_back(centres_of(nodes));
        for (std::vector<NodeId>& some : among_the_nearest(nodes))
            choices.push_back(centres_of(some));
        std::ranges::stable_sort(nodes, std::greater{}, [this](NodeId node) { return arcs_.degree(node); });
        choices.push_back(centres_of(nodes));
        Random random(19);
        for (unsigned i = 0; i < random_centre_choices; ++i) {
            random.shuffle(nodes);
            choices.push_back(centres_of(nodes));
        }
        return choices;
    }

    [[nodiscard]] std::vector<Centres> pairs() const
    {
        std::vector<std::pair<Farness, ArcId>> by_farness;
        for (ArcId arc = 0; arc < arcs_.size(); ++arc)
            if (arc < arcs_.opposite(arc)) {
                planning("spread twice: centres", 0);
                by_farness.emplace_back(farness_of_link(arc), arc);
            }
        std::ranges::sort(by_farness);
        std::vector<ArcId> links;
        for (const auto& [far, arc] : by_farness)
            links.push_back(arc);
        std::vector<Centres> choices{centres_of_links(links)};
        for (std::vector<ArcId>& some : among_the_nearest(links))
            choices.push_back(centres_of_links(some));
        Random random(23);
        for (unsigned i = 0; i < random_centre_choices; ++i) {
            random.shuffle(links);
            choices.push_back(centres_of_links(links));
        }
        return choices;
    }

private:
    using Farness = std::pair<std::uint32_t, std::uint64_t>;  // hops to the farthest node, and to all together

    [[nodiscard]] Farness farness(std::span<const NodeId> from) const
    {
        const std::vector<std::uint32_t> hops = hops_from(arcs_, from);
        Farness far{};
        for (const NodeId node : arcs_.members()) {
            far.first = std::max(far.first, hops[node]);
            far.second += hops[node];
        }
        return far;
    }

    // The farness from both ends together; where that would take long, the sum of the ends' own.
    [[nodiscard]] Farness farness_of_link(ArcId arc) const
    {
        const NodeId u = arcs_.from(arc);
        const NodeId v = arcs_.to(arc);
        if (std::uint64_t{arcs_.size()} * arcs_.size() <= most_link_searches)
            return farness(std::array{u, v});
        return {far_[u].first + far_[v].first, far_[u].second + far_[v].second};
    }

    // The nearest ones often stand side by side and are in each other's way: of a few times as many as there are
    // blocks, any.
    template <class Item>
    [[nodiscard]] std::vector<std::vector<Item>> among_the_nearest(const std::vector<Item>& nearest_first) const
    {
        std::vector<std::vector<Item>> choices;
        Random random(37);
        for (const std::size_t times : {2U, 4U})
            for (unsigned i = 0; i < central_choices; ++i) {
                choices.push_back(nearest_first);
                const std::size_t near = std::min(nearest_first.size(), times * blocks_);
                random.shuffle(std::span(choices.back()).first(near));
            }
        return choices;
    }

    static Centres centres_of(std::span<const NodeId> nodes)
    {
        Centres centres;
        for (const NodeId node : nodes)
            centres.of_turn.push_back({node});
        return centres;
    }

    // The pairs at these links. With one port no node is in two pairs, so that all can exchange at once.
    [[nodiscard]] Centres centres_of_links(std::span<const ArcId> links) const
    {
        Centres centres;
        std::vector<bool> taken(arcs_.nodes());
        for (const ArcId arc : links) {
            const NodeId u = arcs_.from(arc);
            const NodeId v = arcs_.to(arc);
            if (ports_ == PortModel::one && (taken[u] || taken[v]))
                continue;
            taken[u] = taken[v] = true;
            centres.of_turn.push_back({u, v});
            centres.links.push_back(arc);
        }
        return centres;
    }

    const Arcs& arcs_;
    PortModel ports_;
    std::uint32_t blocks_;
    std::vector<Farness> far_;
};

// Backwards, across, forwards.
BlockPlan there_and_back(const Arcs& arcs, const MovePlan& spread, const Centres& centres, std::uint32_t blocks)
{
    const Step across = exchange_steps(centres, blocks);
    BlockPlan plan{{2 * spread.steps + across, {}}, {}};
    for (const auto& [step, arc, block] : spread.moves)
        plan.moves.push_back({spread.steps + 1 - step, arcs.opposite(arc), block});
    std::ranges::reverse(plan.moves);
    for (std::uint32_t block = 0; across != 0 && block < blocks; ++block) {
        const auto turn = static_cast<std::uint32_t>(centres.links.size());
        const ArcId arc = centres.links[block % turn];
        plan.moves.push_back({spread.steps + 1 + block / turn, arc, block});
        plan.moves.push_back({spread.steps + 1 + block / turn, arcs.opposite(arc), block});
    }
    for (const auto& [step, arc, block] : spread.moves)
        plan.moves.push_back({spread.steps + across + step, arc, block});
    return plan;
}

Phases phases_of_spreads(Step spread, Step across, std::uint32_t blocks)
{
    const std::string centre = across == 0 ? "its root" : "its two centres";
    return PhaseLine()
        .add(spread, {across == 0 ? "sums to the roots" : "sums to the centres",
                      fmt::format("The partial sums of {} move to {}, and are added on the way: the spread that "
                                  "follows, backwards.",
                                  blocks == 1 ? "the block" : fmt::format("each of the {} blocks", blocks), centre)})
        .add(across, {"between the centres",
                      "The two centres of every block send each other what they have, so that both know the whole "
                      "sum."})
        .add(spread, {"sums to all", fmt::format("Every whole sum spreads from {} to all nodes, those first that the "
                                                 "fewest nodes have.",
                                                 centre)})
        .take();
}

// A tightened plan has no middle that all blocks share. The first half of each block's moves goes to the centre.
Phases phases_of_tightened(const BlockPlan& plan, std::uint32_t blocks)
{
    const std::size_t half = plan.moves.size() / blocks / 2;
    std::vector<std::size_t> seen(blocks);
    Step last_up = 0;
    Step first_down = plan.steps;
    for (const auto& [step, arc, block] : plan.moves)
        if (seen[block]++ < half)
            last_up = std::max(last_up, step);
        else
            first_down = std::min(first_down, step);
    return {
        {1, last_up, "sums to the centres",
         fmt::format("The partial sums of {} move to its centre, and are added on the way: the spread that follows, "
                     "backwards.",
                     blocks == 1 ? "the block" : fmt::format("each of the {} blocks", blocks))},
        {first_down, plan.steps, "sums to all",
         "Every whole sum spreads from its centre to all nodes, as soon as the links that it needs are free."}};
}

// Every choice of centres is tried once; the best ones then with all effort.
class SpreadTrials {
public:
    SpreadTrials(const Arcs& arcs, PortModel ports, std::uint32_t blocks, std::uint64_t bound)
        : arcs_(arcs), ports_(ports), blocks_(blocks), bound_(static_cast<Step>(bound))
    {
        best_.steps = ~Step{0};
    }

    [[nodiscard]] bool at_bound() const { return best_.steps <= bound_; }

    void add(std::vector<Centres> choices)
    {
        for (Centres& centres : choices) {
            if (at_bound())
                return;
            if (const auto steps = steps_with(centres, {.seeds = 1}))
                tried_.emplace_back(*steps, std::move(centres));
        }
    }

    BlockPlan take()
    {
        std::ranges::stable_sort(tried_, {}, [](const auto& one) { return one.first; });
        for (std::size_t i = 0; i < std::min(most_thorough_spreads, tried_.size()) && !at_bound(); ++i)
            steps_with(tried_[i].second, {});
        return std::move(best_);
    }

private:
    // Before it is tightened; none if that is more than a little above the best so far.
    std::optional<Step> steps_with(const Centres& centres, SpreadEffort effort)
    {
        const Step across = exchange_steps(centres, blocks_);
        if (loose_ <= across)
            return std::nullopt;
        std::vector<std::vector<NodeId>> holders;
        for (std::uint32_t block = 0; block < blocks_; ++block)
            holders.push_back(centres.of_turn[block % centres.of_turn.size()]);
        const Step least = bound_ > across ? (bound_ - across + 1) / 2 : 0;
        const auto found = spread(arcs_, ports_, holders, least, (loose_ - across) / 2 + 1, effort);
        if (!found)
            return std::nullopt;
        const Step steps = 2 * found->steps + across;
        loose_ = std::min(loose_, steps);
        BlockPlan plan = there_and_back(arcs_, *found, centres, blocks_);
        plan.phases = phases_of_spreads(found->steps, across, blocks_);
        if (steps > bound_)
            plan.steps = tighten(arcs_, ports_, plan.moves, static_cast<Step>(bound_));
        if (plan.steps < steps)
            plan.phases = phases_of_tightened(plan, blocks_);
        if (plan.steps < best_.steps)
            best_ = std::move(plan);
        return steps;
    }

    const Arcs& arcs_;
    PortModel ports_;
    std::uint32_t blocks_;
    Step bound_;
    BlockPlan best_;
    Step loose_ = ~Step{0};  // the least steps before anything was tightened
    std::vector<std::pair<Step, Centres>> tried_;
};

}  // namespace

BlockPlan spread_twice(const Arcs& arcs, PortModel ports, std::uint32_t blocks, std::uint64_t bound)
{
    if (arcs.members().size() < 2)
        return {};
    const CentreChoices choices(arcs, ports, blocks);
    SpreadTrials trials(arcs, ports, blocks, bound);
    trials.add(choices.single());
    if (!trials.at_bound())
        trials.add(choices.pairs());
    return trials.take();
}

std::uint64_t work_of_spreads(std::uint64_t nodes, std::uint64_t arcs, PortModel ports, std::uint64_t blocks)
{
    return (3 + 2 * random_centre_choices + 4 * central_choices) *
               spread_work(nodes, arcs, ports, blocks, {.seeds = 1}) +
           most_thorough_spreads * spread_work(nodes, arcs, ports, blocks) + std::min(arcs * arcs, most_link_searches) +
           arcs * nodes;
}

Entry spread_twice_entry(PortModel ports)
{
    return block_plan_entry(
        {{.collective = Collective::all_reduce,
          .name = ports == PortModel::all ? "spread-twice" : "spread-twice-one",
          .ports = ports,
          .networks = Networks::no_hypercubes,
          .same_bits = true},
         {.paper = "textbook: broadcast, there and back",
          .origin = Origin::dcube,
          .summary = "the spread of all blocks from their centres, backwards as a reduction, then forwards",
          .idea = ports == PortModel::all
                      ? "All blocks spread from different nodes, or pairs of neighbours, at once, the rarest first. "
                        "Read backwards that sums every block up at its centre, and then the sums spread."
                      : "The one-port spread of all blocks from different nodes, read backwards to sum them up, then "
                        "forwards.",
          .formula = {.words = "twice the steps of the spread, and one more where centres are pairs"},
          .paper_note = "In none of the papers: a spread and its mirror image, ours.",
          .planning_work =
              [ports](const Topology& topology, const Problem& problem) {
                  return work_of_spreads(topology.nodes(), topology.directed_links(), ports, problem.packets);
              }}},
        [](const BlockQuestion& question) {
            return spread_twice(Arcs(question.topology), question.ports, static_cast<std::uint32_t>(question.blocks),
                                all_reduce_bound(question));
        });
}

}  // namespace dcube::detail
