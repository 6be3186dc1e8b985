#include "algorithms/any_network/spread_schedule.hpp"

#include "algorithms/any_network/spread_along_trees.hpp"
#include "algorithms/programs/complete_schedule.hpp"
#include "algorithms/programs/kept_schedule.hpp"
#include "base/memo.hpp"
#include "base/plan_files.hpp"

#include <dcube/bounds.hpp>
#include <dcube/error.hpp>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

std::vector<std::vector<NodeId>> first_holders(const Arcs& arcs, const ScheduleQuestion& question)
{
    if (question.collective == Collective::broadcast)
        return std::vector(question.packets, std::vector{question.root});
    std::vector<std::vector<NodeId>> holders;
    for (const NodeId node : arcs.members())
        holders.insert(holders.end(), question.packets, {node});
    return holders;
}

// More would take longer than all else.
constexpr std::uint64_t most_work_on_trees = 2'000'000'000;

bool tries_trees(std::uint64_t nodes, std::uint64_t arcs, PortModel ports, std::uint64_t packets)
{
    return ports == PortModel::one && spread_along_trees_work(nodes, arcs, packets) <= most_work_on_trees;
}

Spread made_spread(const ScheduleQuestion& question)
{
    const auto bound = static_cast<Step>(steps_bound(question.topology, question.ports, problem_of(question)).value);
    const Arcs arcs(question.topology);
    const std::vector<std::vector<NodeId>> holders = first_holders(arcs, question);
    std::optional<Spread> found = spread(arcs, question.ports, holders, bound);
    assert(found);  // networks are connected
    if (found->steps > bound)
        tighten_spread(arcs, question.ports, *found, bound);
    if (found->steps <= bound || !tries_trees(arcs.members().size(), arcs.size(), question.ports, holders.size()))
        return std::move(*found);
    std::vector<NodeId> roots;
    std::ranges::transform(holders, std::back_inserter(roots), [](const auto& nodes) { return nodes.front(); });
    Spread along = spread_along_trees(arcs, question.ports, roots, static_cast<std::uint32_t>(question.packets), bound);
    return along.steps < found->steps ? std::move(along) : std::move(*found);
}

// A broadcast or an all-gather.
Schedule forwards(const Spread& plan, const Topology& topology, const Problem& problem)
{
    const Arcs arcs(topology);
    const auto packets = static_cast<std::uint32_t>(problem.packets);
    Schedule schedule{Symmetry::none, plan.steps, {}};
    schedule.hops.reserve(plan.moves.size());
    for (const SpreadMove& move : plan.moves) {
        const NodeId origin = is_from_one(problem.collective) ? problem.root : arcs.members()[move.packet / packets];
        schedule.hops.push_back(
            {move.step, arcs.from(move.arc), arcs.port(move.arc), {origin, origin, move.packet % packets}});
    }
    return schedule;
}

std::string bytes_of_spread(const Spread& plan)
{
    ByteWriter bytes;
    bytes.number(plan.steps);
    bytes.number(plan.moves.size());
    for (const auto& [step, arc, packet] : plan.moves) {
        bytes.number(step);
        bytes.number(arc);
        bytes.number(packet);
    }
    return bytes.take();
}

Spread spread_in(std::string_view plan, const ScheduleQuestion& question)
{
    constexpr std::size_t numbers_of_a_move = 3;
    const Topology& topology = question.topology;
    const std::uint64_t messages = is_from_one(question.collective) ? 1 : Arcs(topology).members().size();
    ByteReader bytes(plan);
    Spread spread{bytes.number_to<Step>(), {}};
    spread.moves.resize(bytes.count(numbers_of_a_move));
    for (auto& [step, arc, packet] : spread.moves) {
        step = bytes.number_to<Step>();
        arc = bytes.number_to<ArcId>(topology.directed_links() - 1);
        packet = bytes.number_to<std::uint32_t>(messages * question.packets - 1);
    }
    bytes.end();
    if (!std::ranges::is_sorted(spread.moves, {}, &SpreadMove::step))
        throw InvalidArgument("its moves are not in the order of their steps");
    const Problem problem = problem_of(question);
    require_complete(forwards(spread, topology, problem), topology, question.ports, problem);
    return spread;
}

}  // namespace

std::shared_ptr<const Spread> kept_spread(const Topology& topology, const Problem& problem, PortModel ports)
{
    static Memo<ScheduleQuestion, Spread> kept(8);
    const bool from_one = is_from_one(problem.collective);
    const ScheduleQuestion question{topology,
                                    ports,
                                    from_one ? Collective::broadcast : Collective::all_gather,
                                    problem.packets,
                                    from_one ? problem.root : 0,
                                    0,
                                    {}};
    return kept.get(question, [&] {
        return kept_in_file(
            "spread", spread_plan_work(topology, problem, ports), [&] { return key_of(question); },
            [&] { return made_spread(question); }, bytes_of_spread,
            [&](std::string_view bytes) { return spread_in(bytes, question); });
    });
}

std::uint64_t spread_packets(const Topology& topology, const Problem& problem)
{
    return is_from_one(problem.collective) ? problem.packets : topology.nodes() * std::uint64_t{problem.packets};
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
    const Schedule schedule = forwards(*kept_spread(topology, problem, ports), topology, problem);
    return is_spread_backwards(problem.collective) ? reversed(topology, schedule, Arrival::added) : schedule;
}

}  // namespace dcube::detail
