#include "algorithms/beyond/any_network/spread_schedule.hpp"

#include "algorithms/beyond/any_network/tighten.hpp"
#include "algorithms/programs/kept_schedule.hpp"
#include "algorithms/programs/schedule.hpp"
#include "base/memo.hpp"
#include "base/plan_files.hpp"
#include "base/sizes.hpp"
#include "collectives/graphs/spanning_trees.hpp"

#include <dcube/bounds.hpp>
#include <dcube/error.hpp>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

// A spread in which every packet has a spanning tree of its own.

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
MovePlan in_order_of_chains(const Arcs& arcs, PortModel ports, std::vector<MoveDown> moves,
                            std::span<const PacketName> names, std::int64_t urgency, Step bound)
{
    std::ranges::stable_sort(moves, {}, [&](const MoveDown& move) {
        return std::pair(urgency * names[move.packet].copy - std::int64_t{move.left}, move.packet);
    });
    MovePlan plan;
    for (const MoveDown& move : moves)
        plan.moves.push_back({++plan.steps, move.arc, move.packet});
    plan.steps = tighten(arcs, ports, plan.moves, bound);
    return plan;
}

// With one port it is better than choosing step by step where few nodes hold a network together: it knows what is left
// to do there. The packets' origins have them at the start. Stops at `bound` steps.
MovePlan spread_along_trees(const Arcs& arcs, PortModel ports, std::span<const PacketName> names, Step bound)
{
    MovePlan best{~Step{0}, {}};
    RootedTree rooted(arcs);
    std::vector<std::vector<ArcId>> trees;
    for (const double flat : flatness) {
        if (trees == std::exchange(trees, packed_trees(arcs, ports, static_cast<unsigned>(names.size()), flat)))
            continue;
        std::vector<MoveDown> moves;
        for (std::uint32_t packet = 0; packet < names.size(); ++packet)
            rooted.add_moves(trees[packet], names[packet].origin, packet, moves);
        for (const std::int64_t urgency : urgencies) {
            MovePlan plan = in_order_of_chains(arcs, ports, moves, names, urgency, bound);
            if (plan.steps < best.steps)
                best = std::move(plan);
            if (best.steps <= bound)
                return best;
        }
    }
    return best;
}

// About how many operations that takes.
std::uint64_t spread_along_trees_work(std::uint64_t nodes, std::uint64_t arcs, std::uint64_t packets)
{
    constexpr std::uint64_t plans = std::size(flatness) * std::size(urgencies);
    const std::uint64_t moves = packets * nodes;
    return std::size(flatness) * packing_work(arcs, packets) + plans * (tighten_work(moves) + moves * moves / 16);
}

std::vector<std::vector<NodeId>> first_holders(const Arcs& arcs, const UnitQuestion& question)
{
    if (question.collective == Collective::broadcast)
        return std::vector(question.packets, std::vector{question.root});
    std::vector<std::vector<NodeId>> holders;
    const Problem problem = problem_of(question);
    for (const NodeId node : arcs.members())
        holders.insert(holders.end(), as_size(packets_between(problem, question.topology, node, node)), {node});
    return holders;
}

// Packets that stand side by side and have the same origin are one message's, copy 0, 1, ...
std::vector<PacketName> names_of_packets(const std::vector<std::vector<NodeId>>& holders)
{
    std::vector<PacketName> names;
    for (const std::vector<NodeId>& nodes : holders) {
        const bool next = !names.empty() && names.back().origin == nodes.front();
        names.push_back({nodes.front(), nodes.front(), next ? names.back().copy + 1 : 0});
    }
    return names;
}

// More would take longer than all else.
constexpr std::uint64_t most_work_on_trees = 2'000'000'000;

bool tries_trees(std::uint64_t nodes, std::uint64_t arcs, PortModel ports, std::uint64_t packets)
{
    return ports == PortModel::one && spread_along_trees_work(nodes, arcs, packets) <= most_work_on_trees;
}

MovePlan made_spread(const UnitQuestion& question)
{
    const auto bound = static_cast<Step>(steps_bound(question.topology, question.ports, problem_of(question)).value);
    const Arcs arcs(question.topology);
    const std::vector<std::vector<NodeId>> holders = first_holders(arcs, question);
    std::optional<MovePlan> found = spread(arcs, question.ports, holders, bound);
    assert(found);  // networks are connected
    if (found->steps > bound)
        found->steps = tighten(arcs, question.ports, found->moves, bound);
    if (found->steps <= bound || !tries_trees(arcs.members().size(), arcs.size(), question.ports, holders.size()))
        return std::move(*found);
    MovePlan along = spread_along_trees(arcs, question.ports, names_of_packets(holders), bound);
    return along.steps < found->steps ? std::move(along) : std::move(*found);
}

// A broadcast or an all-gather.
Schedule forwards(const MovePlan& plan, const UnitQuestion& question)
{
    const Arcs arcs(question.topology);
    const std::vector<PacketName> names = names_of_packets(first_holders(arcs, question));
    Schedule schedule{Symmetry::none, plan.steps, {}};
    schedule.hops.reserve(plan.moves.size());
    for (const TimedMove& move : plan.moves)
        schedule.hops.push_back({move.step, arcs.from(move.arc), arcs.port(move.arc), names[move.packet]});
    return schedule;
}

// What the spread is of, also where it is read backwards.
UnitQuestion question_of_spread(const Topology& topology, const Problem& problem, PortModel ports)
{
    UnitQuestion question = question_of(topology, ports, problem);
    question.collective = has_root(problem.collective) ? Collective::broadcast : Collective::all_gather;
    return question;
}

std::string bytes_of_spread(const MovePlan& plan)
{
    ByteWriter bytes;
    write_moves(bytes, plan);
    return bytes.take();
}

MovePlan spread_in(std::string_view plan, const UnitQuestion& question)
{
    const Topology& topology = question.topology;
    const Problem problem = problem_of(question);
    ByteReader bytes(plan);
    MovePlan spread = read_moves(bytes, topology.directed_links(), spread_packets(topology, problem));
    bytes.end();
    if (!std::ranges::is_sorted(spread.moves, {}, &TimedMove::step))
        throw InvalidArgument("its moves are not in the order of their steps");
    require_possible(forwards(spread, question), topology, problem);
    return spread;
}

}  // namespace

std::shared_ptr<const MovePlan> kept_spread(const Topology& topology, const Problem& problem, PortModel ports)
{
    static Memo<UnitQuestion, MovePlan> kept(8);
    const UnitQuestion question = question_of_spread(topology, problem, ports);
    return kept.get(question, [&] {
        return kept_in_file(
            "spread", spread_plan_work(topology, problem, ports), [&] { return key_of(question); },
            [&] { return made_spread(question); }, bytes_of_spread,
            [&](std::string_view bytes) { return spread_in(bytes, question); });
    });
}

std::uint64_t spread_packets(const Topology& topology, const Problem& problem)
{
    return has_root(problem.collective) ? problem.packets : all_packets(problem, topology);
}

std::uint64_t spread_plan_work(const Topology& topology, const Problem& problem, PortModel ports)
{
    const std::uint64_t nodes = topology.nodes();
    const std::uint64_t arcs = topology.directed_links();
    const std::uint64_t packets = spread_packets(topology, problem);
    return spread_work(nodes, arcs, ports, packets) +
           (tries_trees(nodes, arcs, ports, packets) ? spread_along_trees_work(nodes, arcs, packets) : 0);
}

Schedule spread_schedule(const Topology& topology, const Problem& problem, PortModel ports)
{
    return in_direction_of(
        problem.collective, topology,
        forwards(*kept_spread(topology, problem, ports), question_of_spread(topology, problem, ports)));
}

}  // namespace dcube::detail
