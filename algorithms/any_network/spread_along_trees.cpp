#include "algorithms/any_network/spread_along_trees.hpp"

#include "algorithms/any_network/tighten.hpp"
#include "graphs/spanning_trees.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

namespace dcube::detail {

namespace {

constexpr double flatness[] = {0.02, 0.5, 4.0};
constexpr std::int64_t urgencies[] = {1000, 2, 0};

// A move down a tree, and the hops of the longest chain that begins with it.
struct MoveDown {
    ArcId arc;
    std::uint32_t packet;
    std::uint32_t left;
};

// A spanning tree's moves from its root on.
class RootedTree {
public:
    explicit RootedTree(const Arcs& arcs) : arcs_(arcs), links_(arcs.nodes()), height_(arcs.nodes()) {}

    void add_moves(std::span<const ArcId> tree, NodeId root, std::uint32_t packet, std::vector<MoveDown>& moves)
    {
        for (std::vector<ArcId>& links : links_)
            links.clear();
        for (const ArcId arc : tree)
            for (const ArcId one : {arc, arcs_.opposite(arc)})
                links_[arcs_.from(one)].push_back(one);
        std::ranges::fill(height_, 0);
        const std::size_t first = moves.size();
        for (const ArcId arc : links_[root])
            moves.push_back({arc, packet, 0});
        for (std::size_t i = first; i < moves.size(); ++i)
            for (const ArcId arc : links_[arcs_.to(moves[i].arc)])
                if (arc != arcs_.opposite(moves[i].arc))
                    moves.push_back({arc, packet, 0});
        for (std::size_t i = moves.size(); i-- > first;) {
            moves[i].left = height_[arcs_.to(moves[i].arc)] + 1;
            std::uint32_t& above = height_[arcs_.from(moves[i].arc)];
            above = std::max(above, moves[i].left);
        }
    }

private:
    const Arcs& arcs_;
    std::vector<std::vector<ArcId>> links_;
    std::vector<std::uint32_t> height_;
};

// The moves of longest chains first, those of earlier copies before that; each as early as those before it allow.
Spread in_order_of_chains(const Arcs& arcs, PortModel ports, std::vector<MoveDown> moves, std::uint32_t copies,
                          std::int64_t urgency, Step bound)
{
    std::ranges::stable_sort(moves, {}, [&](const MoveDown& move) {
        return std::pair(urgency * (move.packet % copies) - std::int64_t{move.left}, move.packet);
    });
    Spread plan;
    for (const MoveDown& move : moves)
        plan.moves.push_back({++plan.steps, move.arc, move.packet});
    tighten_spread(arcs, ports, plan, bound);
    return plan;
}

}  // namespace

void tighten_spread(const Arcs& arcs, PortModel ports, Spread& plan, Step bound)
{
    std::vector<TimedMove> moves;
    moves.reserve(plan.moves.size());
    for (const auto& [step, arc, packet] : plan.moves)
        moves.push_back({step, arc, packet});
    plan.steps = tighten(arcs, ports, moves, bound);
    for (std::size_t i = 0; i < moves.size(); ++i)
        plan.moves[i] = {moves[i].step, moves[i].arc, moves[i].item};
}

Spread spread_along_trees(const Arcs& arcs, PortModel ports, std::span<const NodeId> roots, std::uint32_t copies,
                          Step bound)
{
    Spread best{~Step{0}, {}};
    RootedTree rooted(arcs);
    std::vector<std::vector<ArcId>> trees;
    for (const double flat : flatness) {
        if (trees == std::exchange(trees, packed_trees(arcs, ports, static_cast<unsigned>(roots.size()), flat)))
            continue;
        std::vector<MoveDown> moves;
        for (std::uint32_t packet = 0; packet < roots.size(); ++packet)
            rooted.add_moves(trees[packet], roots[packet], packet, moves);
        for (const std::int64_t urgency : urgencies) {
            Spread plan = in_order_of_chains(arcs, ports, moves, copies, urgency, bound);
            if (plan.steps < best.steps)
                best = std::move(plan);
            if (best.steps <= bound)
                return best;
        }
    }
    return best;
}

std::uint64_t spread_along_trees_work(std::uint64_t nodes, std::uint64_t arcs, std::uint64_t packets)
{
    constexpr std::uint64_t plans = std::size(flatness) * std::size(urgencies);
    const std::uint64_t moves = packets * nodes;
    return std::size(flatness) * packing_work(arcs, packets) + plans * (tighten_work(moves) + moves * moves / 16);
}

}  // namespace dcube::detail
