// The entries of scatter.cpp, with their costs and phases.

#include "algorithms/papers/bertsekas/scatter.hpp"

#include "algorithms/families.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/plan.hpp"
#include "base/arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace dcube::detail {

namespace {

// ---- Phases, from the point of view of the root, which sends or receives in every step ----

std::string_view root_moves(Direction direction)
{
    return direction == Direction::forwards ? "The root sends" : "The root receives";
}

// The nodes are dealt out to the ports level by level, and every port sends the farthest first: the steps in which a
// port sends packets for a level's nodes follow from how many nodes of higher levels it was dealt.
Phases level_phases(unsigned d, Direction direction)
{
    std::vector<Step> dealt(d, 0);  // to every port so far, from the farthest on
    Phases phases;
    std::uint64_t after = bit(d) - 1;  // the number of the first node of the level before
    for (unsigned distance = d; distance >= 1; --distance) {
        const std::uint64_t nodes = choose(d, distance).convert_to<std::uint64_t>();
        after -= nodes;
        Step first = ~Step{0};
        Step last = 0;
        for (std::uint64_t number = after; number < after + nodes; ++number) {
            Step& port = dealt[number % d];
            first = std::min(first, ++port);
            last = std::max(last, port);
        }
        phases.push_back({first, last, fmt::format("distance {}", distance),
                          fmt::format("{} the packets of {}, dealt out to {} in turn; on every port the farthest {}.",
                                      root_moves(direction), nodes_at(distance, d), counted(d, "port"),
                                      direction == Direction::forwards ? "go first" : "come last")});
    }
    return phases;
}

// The phases of several packets per message: one packet of all messages after the other on every port.
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

Phases balanced_phases(unsigned d, std::uint64_t m, Direction direction)
{
    if (d == 0)
        return {};
    return m == 1 ? level_phases(d, direction) : copy_phases(d, m, direction);
}

// A packet rests in a node for two steps, the one in which it is sent on and the one in which it is read.
std::uint64_t scatter_storage(const Topology& topology, const Problem& problem)
{
    const std::uint64_t slots = std::uint64_t{2} * topology.dimension() * topology.nodes();
    return plan_bytes(problem.packets * topology.status(0)) + slots * problem.bytes;
}

}  // namespace

Entry planned_scatter_entry(Entry head, Schedule (*schedule)(const Topology& topology, std::uint32_t packets),
                            Phases (*phases)(unsigned d, std::uint64_t packets, Direction direction))
{
    head = costed_by_formula(std::move(head));
    head.storage = scatter_storage;
    head.phases = [phases, cost = head.cost](const Topology& topology, const Problem& problem) {
        const Direction direction = direction_of(problem.collective);
        Phases there = phases(topology.dimension(), problem.packets, direction);
        return direction == Direction::forwards ? there : mirrored(std::move(there), cost(topology, problem).steps);
    };
    return plan_entry(std::move(head), [schedule](const Topology& topology, const Problem& problem) {
        return in_direction_of(problem.collective, topology,
                               schedule(topology, static_cast<std::uint32_t>(problem.packets)));
    });
}

std::vector<Entry> scatter_family()
{
    constexpr std::string_view section = "Bertsekas et al. 1991, section 3";
    return {
        planned_scatter_entry(
            {{.collective = Collective::scatter, .name = "balanced-tree"},
             {.aliases = {"optimal"},
              .paper = section,
              .origin = Origin::paper,
              .summary = "a perfectly balanced tree of shortest paths, the farthest nodes first",
              .idea = "What limits is the root: N - 1 packets and d links. So every packet goes down a tree "
                      "of shortest paths whose d subtrees are as equal as can be, and each link of the root "
                      "sends its subtree's packets without a pause, the farthest first. In a binomial tree "
                      "one subtree has half of all nodes. Nodes that are rotations of each other are dealt "
                      "out to the ports one by one, which makes the subtrees equal.",
              .formula = {.steps = "ceil(m (N - 1)/d)", .transmissions = "m d 2^(d - 1)"},
              .paper_note = "Bertsekas et al. prove ceil((N - 1)/d) steps and d 2^(d-1) transmissions in "
                            "section 3 and Table I, for one packet per node: that is this. m packets per node, "
                            "with the tree rotated from one to the next, are dcube's. The \"longest run of "
                            "0s\" by which a node finds its parent must not wrap round (errata, 15)."}},
            scatter_schedule, balanced_phases),
        planned_scatter_entry(
            {{.collective = Collective::gather, .name = "balanced-tree"},
             {.aliases = {"optimal"},
              .paper = section,
              .origin = Origin::refinement,
              .summary = "the optimal scatter, backwards",
              .idea = "The scatter in d equal subtrees read backwards: every link into the root is busy in "
                      "every step but perhaps the first. The root's inbox is what limits.",
              .formula = {.steps = "ceil(m (N - 1)/d)", .transmissions = "m d 2^(d - 1)"},
              .paper_note = "Bertsekas et al. say in section 1 that a gather is a scatter backwards; the "
                            "schedule of section 3, reversed, is this."}},
            scatter_schedule, balanced_phases),
    };
}

}  // namespace dcube::detail
