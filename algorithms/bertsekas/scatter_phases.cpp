// The phases of scatter and gather (scatter.cpp), told of the root, which sends or receives in every step.

#include "algorithms/bertsekas/necklaces.hpp"
#include "algorithms/bertsekas/scatter.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "base/arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace dcube::detail {

namespace {

std::uint64_t number_at(unsigned distance, unsigned d)
{
    return choose(d, distance).convert_to<std::uint64_t>();
}

std::string_view root_moves(Direction direction)
{
    return direction == Direction::forwards ? "The root sends" : "The root receives";
}

Phases farthest_first_phases(unsigned d, std::uint64_t m, Direction direction)
{
    PhaseLine line;
    for (unsigned distance = d; distance >= 1; --distance) {
        line.add(m * number_at(distance, d),
                 {fmt::format("distance {}", distance),
                  fmt::format("{} the packets of {}, one a step: {}.", root_moves(direction), nodes_at(distance, d),
                              direction == Direction::forwards
                                  ? "the farthest leave first, and are passed on while the others leave"
                                  : "the farthest have the longest way, and come last")});
    }
    return line.take();
}

// The nodes are dealt out to the ports level by level, and every port sends the farthest first: when each of them sends
// those of a level is the nodes of higher levels that it was dealt.
Phases level_phases(unsigned d, Direction direction)
{
    std::vector<Step> dealt(d, 0);  // to every port so far, from the farthest on
    Phases phases;
    std::uint64_t after = bit(d) - 1;  // the number of the first node of the level before
    for (unsigned distance = d; distance >= 1; --distance) {
        const std::uint64_t nodes = number_at(distance, d);
        const auto classes = classes_of_level(distance, d).size();
        after -= nodes;
        Step first = ~Step{0};
        Step last = 0;
        for (std::uint64_t number = after; number < after + nodes; ++number) {
            Step& port = dealt[number % d];
            first = std::min(first, ++port);
            last = std::max(last, port);
        }
        phases.push_back(
            {first, last, fmt::format("distance {}", distance),
             fmt::format("{} the packets of {}{}, dealt out to {} in turn; on every port the farthest {}.",
                         root_moves(direction), nodes_at(distance, d),
                         nodes == 1 ? "" : fmt::format(" (the rotations of {})", counted(classes, "bit pattern")),
                         counted(d, "port"), direction == Direction::forwards ? "go first" : "come last")});
    }
    return phases;
}

// Of several packets a message: one packet of all messages after the other on every port.
Phases copy_phases(unsigned d, std::uint64_t m, Direction direction)
{
    const std::uint64_t others = bit(d) - 1;
    if (m > most_phases)
        return whole_run(
            ceil_div(m * others, d),
            {"packet by packet",
             fmt::format("{} {} packets of each of the {} messages, over {} ports that have the same share, but "
                         "for one packet.",
                         root_moves(direction), m, others, d)});
    Phases phases;
    for (std::uint64_t copy = 0; copy < m; ++copy)
        phases.push_back({static_cast<Step>(copy * others / d + 1), static_cast<Step>(ceil_div((copy + 1) * others, d)),
                          fmt::format("packet {}", copy + 1),
                          fmt::format("{} packet {} of each of the {} messages, over all ports, on every port the "
                                      "farthest {}.",
                                      root_moves(direction), copy + 1, others,
                                      direction == Direction::forwards ? "first" : "last")});
    return phases;
}

}  // namespace

Phases scatter_phases(const Topology& topology, const Problem& problem, PortModel ports)
{
    const unsigned d = topology.dimension();
    const std::uint64_t m = problem.packets;
    if (d == 0)
        return {};
    const bool gathers = problem.collective == Collective::gather;
    const Direction direction = gathers ? Direction::backwards : Direction::forwards;
    Phases phases = ports == PortModel::one ? farthest_first_phases(d, m, direction)
                    : m == 1                ? level_phases(d, direction)
                                            : copy_phases(d, m, direction);
    const std::uint64_t packets = m * (topology.nodes() - std::uint64_t{1});
    const std::uint64_t steps = ports == PortModel::all ? steps_over_links(packets, topology) : packets;
    return gathers ? mirrored(std::move(phases), steps) : phases;
}

}  // namespace dcube::detail
