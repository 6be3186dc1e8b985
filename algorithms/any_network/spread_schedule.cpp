#include "algorithms/any_network/spread_schedule.hpp"

#include "base/memo.hpp"

#include <dcube/bounds.hpp>

#include <cassert>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

// What a spread depends on.
struct SpreadQuestion {
    Topology topology;
    PortModel ports;
    Collective collective;  // broadcast or all-gather
    std::size_t packets;
    NodeId root;

    friend bool operator==(const SpreadQuestion&, const SpreadQuestion&) = default;
};

std::vector<std::vector<NodeId>> first_holders(const Arcs& arcs, const SpreadQuestion& question)
{
    if (question.collective == Collective::broadcast)
        return std::vector(question.packets, std::vector{question.root});
    std::vector<std::vector<NodeId>> holders;
    for (const NodeId node : arcs.members())
        holders.insert(holders.end(), question.packets, {node});
    return holders;
}

Spread made_spread(const SpreadQuestion& question)
{
    Problem problem{question.collective};
    problem.packets = question.packets;
    problem.root = question.root;
    const std::uint64_t bound = steps_bound(question.topology, question.ports, problem).value;
    const Arcs arcs(question.topology);
    std::optional<Spread> found =
        spread(arcs, question.ports, first_holders(arcs, question), static_cast<Step>(bound));
    assert(found);  // networks are connected
    return std::move(*found);
}

}  // namespace

std::shared_ptr<const Spread> kept_spread(const Topology& topology, const Problem& problem, PortModel ports)
{
    static Memo<SpreadQuestion, Spread> kept(8);
    const bool from_one = is_from_one(problem.collective);
    const SpreadQuestion question{topology, ports, from_one ? Collective::broadcast : Collective::all_gather,
                                  problem.packets, from_one ? problem.root : 0};
    return kept.get(question, [&] { return made_spread(question); });
}

Schedule spread_schedule(const Topology& topology, const Problem& problem, PortModel ports)
{
    const std::shared_ptr<const Spread> plan = kept_spread(topology, problem, ports);
    const Arcs arcs(topology);
    const auto packets = static_cast<std::uint32_t>(problem.packets);
    Schedule schedule{Symmetry::none, plan->steps, {}};
    schedule.hops.reserve(plan->moves.size());
    for (const SpreadMove& move : plan->moves) {
        const NodeId origin = is_from_one(problem.collective) ? problem.root : arcs.members()[move.packet / packets];
        schedule.hops.push_back(
            {move.step, arcs.from(move.arc), arcs.port(move.arc), {origin, origin, move.packet % packets}});
    }
    return is_spread_backwards(problem.collective) ? reversed(topology, schedule, Arrival::added) : schedule;
}

}  // namespace dcube::detail
