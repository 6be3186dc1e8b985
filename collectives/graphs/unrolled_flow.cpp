// First a flow without steps, of the fewest hops. It is dealt out to steps, and where that does not finish in time, the
// packets that are late look for room in the unrolled network.

#include "collectives/graphs/unrolled_flow.hpp"

#include "collectives/graphs/scatter_flow.hpp"
#include "collectives/graphs/unrolled_network.hpp"

#include <algorithm>

namespace dcube::detail {

namespace {

// Arcs times steps of the largest networks that are searched.
constexpr std::uint64_t most_unrolled_arcs = std::uint64_t{1} << 25;

// The numbers of steps that are tried on networks too large to be searched.
constexpr Step most_tries = 4;

bool is_searched(const Arcs& arcs, Step steps)
{
    return std::uint64_t{arcs.size()} * steps <= most_unrolled_arcs;
}

// Backwards in time.
std::vector<Walk> turned(const Arcs& arcs, std::vector<Walk> gather, Step steps)
{
    for (Walk& walk : gather) {
        std::ranges::reverse(walk.hops);
        for (auto& [step, arc] : walk.hops) {
            step = steps + 1 - step;
            arc = arcs.opposite(arc);
        }
    }
    return gather;
}

}  // namespace

std::uint64_t scatter_bound(const Arcs& arcs, NodeId root, const PacketsByNode& packets)
{
    return scatter_cut(arcs, root, packets).steps;
}

std::optional<std::vector<Walk>> unrolled_scatter(const Arcs& arcs, NodeId root, const PacketsByNode& packets,
                                                  Step steps)
{
    const ScatterFlow flow(arcs, root, packets, steps);
    if (!flow.is_complete())
        return std::nullopt;
    const std::vector<Walk> dealt = round_robin_gather(arcs, root, packets, flow, steps);
    if (steps_of(dealt) <= steps)
        return turned(arcs, dealt, steps);
    if (!is_searched(arcs, steps))
        return std::nullopt;
    UnrolledNetwork network(arcs, root, packets, steps);
    for (const Walk& walk : dealt)
        if (walk.hops.back().first <= steps)
            network.add(walk);
    if (!network.complete())
        return std::nullopt;
    return turned(arcs, network.walks(), steps);
}

ScatterWalks scatter_walks(const Arcs& arcs, NodeId root, const PacketsByNode& packets)
{
    const auto bound = static_cast<Step>(scatter_bound(arcs, root, packets));
    for (Step steps = bound; steps < bound + most_tries || is_searched(arcs, steps); ++steps)
        if (std::optional<std::vector<Walk>> walks = unrolled_scatter(arcs, root, packets, steps))
            return {steps, std::move(*walks)};
    const ScatterFlow flow(arcs, root, packets, bound);
    std::vector<Walk> dealt = round_robin_gather(arcs, root, packets, flow, bound);
    const Step steps = steps_of(dealt);
    return {steps, turned(arcs, std::move(dealt), steps)};
}

}  // namespace dcube::detail
