// Broadcast in d edge-disjoint spanning binomial trees (Johnsson & Ho 1989): the i-th of d shares of the message goes
// down tree i, in g packets that follow each other a stage apart. The trees are the links that P_i of BROADCAST 3A uses
// (Stout & Wagar 1990, section 2), but those towards the root. Here for comparison: BROADCAST 4 is a stage shorter for
// every g.
//
//   edge-disjoint-trees   (d+g)(tau ceil(m/(dg)) + beta)   d g (N - 1) transmissions     d = 1: g stages
//
// Exact if dg divides m, else at most that. Nothing is planned.

#include "algorithms/families.hpp"
#include "algorithms/papers/stout_wagar/broadcast.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace dcube::detail {

namespace {

// In stage k node n sends packet q = k - |n| of the shares on all links, but to the root.
WaveRule edge_disjoint_trees(std::uint32_t groups)
{
    return [groups](unsigned d, NodeId n, Port j, Step k) -> Sent {
        const auto a = static_cast<Step>(std::popcount(n));
        if (k < a || k - a >= groups || n == bit(j))
            return silent;
        return (k - a) * d + idx(d, n, j);
    };
}

std::size_t stages(unsigned d, std::size_t groups)
{
    return d == 1 ? groups : d + groups;
}

Exact time_of(const GroupedMessage& message, std::size_t groups, const LinkCosts& costs)
{
    return costs.packets(stages(message.d, groups), message.largest_part(message.d * groups));
}

std::uint32_t groups_for(const GroupedMessage& message, const Problem& problem)
{
    const LinkCosts costs(problem.link);
    return chosen_groups(message, problem, 1, [&](std::size_t g) { return time_of(message, g, costs); });
}

Stream in_trees(const Topology& topology, const Problem& problem)
{
    const GroupedMessage message(topology, problem);
    const std::uint32_t g = groups_for(message, problem);
    Stream stream = wave_stream(message, g, static_cast<Step>(stages(message.d, g)), edge_disjoint_trees(g),
                                message.packets(g) * (topology.nodes() - 1));
    stream.cut = PacketCut::trees(message.units, message.unit, g, std::max(1U, message.d));
    return stream;
}

}  // namespace

std::vector<Entry> edge_disjoint_trees_family()
{
    Entry trees{{.collective = Collective::broadcast,
                 .name = "edge-disjoint-trees",
                 .link = LinkKind::link_bound,
                 .obstacle = too_many_groups},
                {.aliases = {"EDST"},
                 .paper = "Johnsson & Ho 1989 (edge-disjoint spanning binomial trees)",
                 .summary = "groups of packets in d trees",
                 .idea = "d binomial trees that share no directed link: the i-th of d shares goes down tree i, in g "
                         "packets a stage apart. Here for comparison: BROADCAST 4 is a stage shorter for every g.",
                 .formula = {.time = "(d + g) (tau ceil(m/(d g)) + beta)"},
                 .paper_note = "Johnsson & Ho's, with this time. It is here to be compared with BROADCAST 4.",
                 .tunable = {.groups = true},
                 .time = in_ns([](const Topology& topology, const Problem& problem) {
                     const GroupedMessage message(topology, problem);
                     return time_of(message, groups_for(message, problem), LinkCosts(problem.link));
                 }),
                 .phases = [](const Topology& topology, const Problem& problem) {
                     const GroupedMessage message(topology, problem);
                     const std::uint32_t g = groups_for(message, problem);
                     return forward_groups(g, message.d + 1, stages(message.d, g),
                                           fmt::format("down {}", counted(message.d, "tree")));
                 }}};
    return {stream_entry(std::move(trees), in_trees)};
}

}  // namespace dcube::detail
