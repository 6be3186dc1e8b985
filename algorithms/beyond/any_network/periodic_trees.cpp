// periodic-trees, periodic-trees-one: k spanning trees whose moves repeat every D steps, D their largest load. Block b
// takes tree b mod k, in the period floor(b/k). All-reduce of m blocks on n nodes, any network.
//
// A move belongs to one of the D steps of a period: with all ports any that its link has left, with one port its colour
// in an edge colouring of senders x receivers (Koenig). It is made in the first period in which what it waits for has
// been made before: D (ceil(m/k) - 1) + O(D depth) steps. Then the plan is tightened, because a rhythm leaves places
// free at its beginning and its end. The best for many blocks on irregular networks. 2m(n-1) transmissions, the least.
//
// Planning: packing at most 16 trees, colouring and tightening their moves, for several k.

#include "algorithms/beyond/any_network/tree_all_reduce.hpp"

#include "algorithms/beyond/any_network/tighten.hpp"
#include "algorithms/families.hpp"
#include "collectives/graphs/edge_colouring.hpp"
#include "collectives/graphs/spanning_trees.hpp"

#include <dcube/random.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

namespace dcube::detail {

namespace {

constexpr std::array<std::uint32_t, 10> tree_counts{1, 2, 3, 4, 5, 6, 8, 10, 13, 16};

using Beat = TreeRhythm::Beat;

bool longer_chain(const TreeMove& a, const TreeMove& b)
{
    return std::tuple(b.left, a.tree, a.node) < std::tuple(a.left, b.tree, b.node);
}

// All ports: step by step every link takes the waiting move with the longest chain, if that step of its period is free.
class LinkRhythm {
public:
    LinkRhythm(const Arcs& arcs, std::span<const CentredTree> trees, Step period)
        : arcs_(arcs), period_(period), traffic_(arcs, trees), waiting_(arcs.size()),
          taken_(std::size_t{arcs.size()} * period), made_{.period = period,
                                                           .trees = static_cast<std::uint32_t>(trees.size())}
    {
    }

    TreeRhythm rhythm()
    {
        const auto ready = [this](const TreeMove& move) { waiting_[move.arc].push_back(move); };
        traffic_.begin(ready);
        for (Step step = 1; made_.beats.size() < traffic_.moves(); ++step) {
            const std::size_t first = made_.beats.size();
            for (ArcId arc = 0; arc < arcs_.size(); ++arc)
                if (!waiting_[arc].empty() && take_step(arc, step % period_))
                    made_.beats.push_back({step, take_longest(waiting_[arc])});
            for (std::size_t i = first; i < made_.beats.size(); ++i)
                traffic_.arrive(made_.beats[i].move, ready);
        }
        return std::move(made_);
    }

private:
    // Takes the step for the arc; returns false if it is already taken.
    bool take_step(ArcId arc, Step step)
    {
        const std::size_t place = std::size_t{arc} * period_ + step;
        if (taken_[place])
            return false;
        taken_[place] = true;
        return true;
    }
    static TreeMove take_longest(std::vector<TreeMove>& waiting)
    {
        const auto longest = std::ranges::min_element(waiting, longer_chain);
        const TreeMove move = *longest;
        waiting.erase(longest);
        return move;
    }

    const Arcs& arcs_;
    Step period_;
    TreeTraffic traffic_;
    std::vector<std::vector<TreeMove>> waiting_;  // by arc
    std::vector<bool> taken_;                     // by arc and step of the period
    TreeRhythm made_;
};

// One port: every move in the first step of its colour that comes after those that it waits for.
class ColouredRhythm {
public:
    ColouredRhythm(const Arcs& arcs, std::span<const CentredTree> trees, Step period)
        : arcs_(arcs), trees_(trees), period_(period), colour_(2 * trees.size() * arcs.nodes()), ready_(period)
    {
        TreeTraffic traffic(arcs, trees);
        const auto note = [this](const TreeMove& move) { moves_.push_back(move); };
        traffic.begin(note);
        for (std::size_t i = 0; i < moves_.size(); ++i)
            traffic.arrive(TreeMove(moves_[i]), note);
    }

    // Colours depend on the order of the edges; every call tries another one.
    TreeRhythm rhythm()
    {
        std::vector<ColouredEdge> edges;
        for (const TreeMove& move : moves_)
            edges.push_back({arcs_.from(move.arc), arcs_.to(move.arc)});
        const std::vector<std::uint32_t> colours = colour_edges(edges, period_);
        for (std::size_t i = 0; i < moves_.size(); ++i)
            colour_of(moves_[i]) = colours[i];
        TreeRhythm made = in_time();
        random_.shuffle(moves_);
        return made;
    }

private:
    std::uint32_t& colour_of(const TreeMove& move)
    {
        const std::size_t place = std::size_t{move.tree} * arcs_.nodes() + move.node;
        return colour_[2 * place + (move.direction == TreeMove::Direction::up ? 0 : 1)];
    }

    TreeRhythm in_time()
    {
        TreeRhythm made{.period = period_, .trees = static_cast<std::uint32_t>(trees_.size())};
        TreeTraffic traffic(arcs_, trees_);
        const auto ready = [this](const TreeMove& move) { ready_[colour_of(move)].push_back(move); };
        traffic.begin(ready);
        for (Step step = 1; made.beats.size() < traffic.moves(); ++step) {
            const std::vector<TreeMove> now = std::exchange(ready_[step % period_], {});
            for (const TreeMove& move : now)
                made.beats.push_back({step, move});
            for (const TreeMove& move : now)
                traffic.arrive(move, ready);
        }
        return made;
    }

    const Arcs& arcs_;
    std::span<const CentredTree> trees_;
    Step period_;
    std::vector<TreeMove> moves_;
    std::vector<std::uint32_t> colour_;         // by tree, node and direction
    std::vector<std::vector<TreeMove>> ready_;  // by colour
    Random random_{17};
};

// The most moves of an arc; with one port of a sender or receiver.
Step most_moves_of_a_place(const Arcs& arcs, PortModel ports, std::span<const CentredTree> trees)
{
    std::vector<ColouredEdge> edges;
    TreeTraffic traffic(arcs, trees);
    std::vector<TreeMove> moves;
    const auto note = [&](const TreeMove& move) { moves.push_back(move); };
    traffic.begin(note);
    for (std::size_t i = 0; i < moves.size(); ++i)
        traffic.arrive(TreeMove(moves[i]), note);
    for (const TreeMove& move : moves)
        edges.push_back(ports == PortModel::all ? ColouredEdge{move.arc, move.arc}
                                                : ColouredEdge{arcs.from(move.arc), arcs.to(move.arc)});
    return largest_degree(edges);
}

TreeRhythm best_rhythm(const Arcs& arcs, PortModel ports, std::span<const CentredTree> trees, std::uint64_t blocks)
{
    constexpr unsigned most_colourings = 8;
    const Step period = most_moves_of_a_place(arcs, ports, trees);
    if (ports == PortModel::all)
        return LinkRhythm(arcs, trees, period).rhythm();
    ColouredRhythm colouring(arcs, trees, period);
    TreeRhythm best = colouring.rhythm();
    for (unsigned i = 1; i < most_colourings; ++i)
        if (TreeRhythm made = colouring.rhythm(); made.steps(blocks) < best.steps(blocks))
            best = std::move(made);
    return best;
}

Phases phases_of_rhythm(const TreeRhythm& rhythm, Step steps)
{
    return whole_run(
        steps,
        {"trees in rhythm",
         fmt::format("In every {} {} up {} and come down again, those of several periods at once: each move of a tree "
                     "has a step of the period in which nothing else wants its place, or an earlier one that is free.",
                     rhythm.period == 1 ? "step" : counted(rhythm.period, "step"),
                     rhythm.trees == 1 ? "the sums of another block go" : counted(rhythm.trees, "block") + " go",
                     rhythm.trees == 1 ? "the tree" : "a spanning tree each")});
}

std::uint64_t work_of_rhythms(const Topology& topology, const Problem& problem)
{
    const std::uint64_t arcs = topology.directed_links();
    std::uint64_t trees = 0;
    for (const std::uint32_t count : tree_counts)
        trees += count;
    return packing_work(arcs, trees) + 200 * trees * topology.nodes() * topology.max_ports() +
           tree_counts.size() * tighten_work(moves_of_blocks(topology, problem.packets));
}

}  // namespace

Step TreeRhythm::steps(std::uint64_t blocks) const
{
    if (beats.empty() || blocks == 0)
        return 0;
    const std::uint64_t last_period = (blocks - 1) / trees;
    Step last = 0;
    for (const Beat& beat : beats) {
        const bool used = last_period * trees + beat.move.tree < blocks;
        const std::uint64_t periods = used ? last_period : last_period - 1;  // before its last one
        if (used || last_period > 0)
            last = std::max(last, static_cast<Step>(beat.step + period * periods));
    }
    return last;
}

TreeRhythm periodic_trees(const Arcs& arcs, PortModel ports, std::uint32_t trees, std::uint64_t blocks)
{
    std::vector<CentredTree> all;
    for (const std::vector<ArcId>& tree : packed_trees(arcs, ports, trees))
        all.push_back(centred(arcs, tree));
    return best_rhythm(arcs, ports, all, blocks);
}

BlockPlan plan_of_rhythm(const TreeRhythm& rhythm, std::uint64_t blocks)
{
    BlockPlan plan{{rhythm.steps(blocks), {}}, {}};
    for (std::uint64_t block = 0; block < blocks; ++block)
        for (const Beat& beat : rhythm.beats)
            if (beat.move.tree == block % rhythm.trees)
                plan.moves.push_back({static_cast<Step>(beat.step + rhythm.period * (block / rhythm.trees)),
                                      beat.move.arc, static_cast<std::uint32_t>(block)});
    std::ranges::stable_sort(plan.moves, {}, &TimedMove::step);
    return plan;
}

BlockPlan periodic_plan(const Arcs& arcs, PortModel ports, std::uint64_t blocks, std::uint64_t bound)
{
    BlockPlan best;
    for (const std::uint32_t count : tree_counts) {
        if (arcs.members().size() < 2 || count > blocks)
            break;
        const TreeRhythm rhythm = periodic_trees(arcs, ports, count, blocks);
        BlockPlan plan = plan_of_rhythm(rhythm, blocks);
        plan.steps = tighten(arcs, ports, plan.moves, static_cast<Step>(bound));
        if (!best.moves.empty() && plan.steps >= best.steps)
            continue;
        best = std::move(plan);
        best.phases = phases_of_rhythm(rhythm, best.steps);
        if (best.steps <= bound)
            break;
    }
    return best;
}

Entry periodic_trees_entry(PortModel ports)
{
    return block_plan_entry(
        {{.collective = Collective::all_reduce,
          .name = ports == PortModel::all ? "periodic-trees" : "periodic-trees-one",
          .ports = ports,
          .networks = Networks::no_hypercubes,
          .same_bits = true},
         {.paper = "textbook: packed spanning trees, edge colouring",
          .origin = Origin::dcube,
          .summary = "up and down a few spanning trees again and again, in the rhythm of their largest load",
          .idea = ports == PortModel::all
                      ? "A few spanning trees whose moves repeat in a rhythm as long as the largest load of a link; "
                        "every block takes the next tree, a period after the last one that did."
                      : "With one port the moves of a period are coloured as edges between senders and receivers, a "
                        "colour per step; every block takes the next tree, a period after the last one that did.",
          .formula = as_planned,
          .paper_note = ports == PortModel::all
                            ? "In none of the papers: rhythms of this kind are known from cyclic scheduling."
                            : "In none of the papers: the colouring is Koenig's (1916), the rhythm is known from "
                              "cyclic scheduling.",
          .planning_work = work_of_rhythms}},
        [](const BlockQuestion& question) {
            return periodic_plan(Arcs(question.topology), question.ports, question.blocks, all_reduce_bound(question));
        });
}

}  // namespace dcube::detail
