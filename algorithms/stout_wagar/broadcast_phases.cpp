// The phases of the broadcasts (broadcast.cpp), of edge-disjoint-trees, and of the reduction that is one of them
// backwards. |n| of the rules is a node's distance from the root.

#include "algorithms/programs/cube.hpp"
#include "algorithms/stout_wagar/broadcast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace dcube::detail {

namespace {

std::string sent_by_level(unsigned d, unsigned level, std::size_t parts)
{
    if (level == 0)
        return fmt::format("The root sends the {} of the message, part i over dimension i", counted(parts, "part"));
    return fmt::format("From {} goes part i over every dimension i, or else the next part up that the sender has",
                       nodes_at(level, d));
}

Phases backwards_phases(const GroupedMessage& message, std::uint64_t g, std::uint64_t stages)
{
    const TextOf text = [=](std::uint64_t q) {
        return PhaseText{fmt::format("group {}", q + 1),
                         fmt::format("Partial sums of group {} of {} go up its trees, a link a step, and are complete "
                                     "at the root in step {}.",
                                     q + 1, g, stages - q)};
    };
    Phases phases = group_phases(g, message.d + 1, stages, text,
                                 {"the root completes sums",
                                  fmt::format("In every step the root completes the sums of another of {} groups.", g)},
                                 {"the first sums form", "Partial sums of the first groups go up their trees, a link a "
                                                         "step; none is complete yet."});
    if (message.d >= 2)
        phases.push_back({static_cast<Step>(g + 1), static_cast<Step>(stages), "short cuts",
                          "Shares that would come too late take links that one more group would have used, which saves "
                          "a step."});
    return mirrored(in_order(std::move(phases)), stages);
}

}  // namespace

Phases rotated_doubling_phases(unsigned d)
{
    PhaseLine line;
    for (unsigned k = 0; k < d; ++k)
        line.add(
            1, {fmt::format("{} to {} nodes", bit(k), bit(k + 1)),
                fmt::format("Every part goes on from {} over a dimension of its own, part i over dimension {}, so that "
                            "{} nodes have it.",
                            k == 0 ? "the root" : fmt::format("the {} nodes that have it", bit(k)), cyclic("i", k, d),
                            bit(k + 1))});
    return line.take();
}

Phases wave_phases(unsigned d, std::size_t parts)
{
    PhaseLine line;
    for (unsigned k = 0; k <= d; ++k)
        line.add(1, {fmt::format("distance {}", k), sent_by_level(d, k, parts) + "."});
    return line.take();
}

Phases two_waves_phases(unsigned d, std::size_t parts)
{
    PhaseLine line;
    for (unsigned k = 0; k < d; ++k)
        line.add(1, {fmt::format("distance {}", k),
                     k == 0 ? sent_by_level(d, k, parts) + "."
                            : fmt::format("{}; a second wave, of the next part on every link, goes from {}.",
                                          sent_by_level(d, k, parts), k == 1 ? "the root" : nodes_at(k - 1, d))});
    return line.take();
}

Phases forward_groups(std::uint64_t g, std::uint64_t levels, std::uint64_t stages, std::string_view ways)
{
    const TextOf text = [=](std::uint64_t q) {
        return PhaseText{fmt::format("group {}", q + 1),
                         fmt::format("Group {} of {} goes out {}: the root sends it in step {}, and every step takes "
                                     "it a link further.",
                                     q + 1, g, ways, q + 1)};
    };
    return group_phases(
        g, levels, stages, text,
        {"the root sends", fmt::format("The root sends another of {} groups in every step, each {}.", g, ways)},
        {"the last groups spread", "The root has no new groups; the last ones still go on, a link a step."});
}

namespace {

Phases forwards_phases(const Topology& topology, const Problem& problem, std::string_view ways, PhaseText second)
{
    const GroupedMessage message(topology, problem);
    const std::uint64_t g = pipelined_groups(message, problem);
    const std::uint64_t stages = message.d + g - 1;
    Phases phases = forward_groups(g, message.d + 1, stages, ways);
    if (message.d >= 2)
        phases.push_back(
            {static_cast<Step>(g + 1), static_cast<Step>(stages), std::move(second.name), std::move(second.sentence)});
    return in_order(std::move(phases));
}

}  // namespace

Phases pipelined_phases(const Topology& topology, const Problem& problem)
{
    return forwards_phases(topology, problem, "as a wave",
                           {"second wave", "The last group's packets also go where the first wave would bring them too "
                                           "late, which saves a step."});
}

Phases pruned_phases(const Topology& topology, const Problem& problem)
{
    return forwards_phases(topology, problem, fmt::format("down {}", counted(topology.dimension(), "tree")),
                           {"short cuts", "Nodes that the last group would reach too late are reached over links that "
                                          "one more group would have used, which saves a step."});
}

Phases reduced_phases(const Topology& topology, const Problem& problem)
{
    const GroupedMessage message(topology, problem);
    const std::uint64_t g = pipelined_groups(message, problem);
    return backwards_phases(message, g, message.d + g - 1);
}

}  // namespace dcube::detail
