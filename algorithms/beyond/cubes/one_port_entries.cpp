// The entries of one_port.cpp, with their costs and phases.

#include "algorithms/beyond/cubes/one_port.hpp"

#include "algorithms/families.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/papers/bertsekas/all_gather.hpp"
#include "algorithms/papers/bertsekas/scatter.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/plan.hpp"

#include <fmt/format.h>

#include <bit>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

Phases farthest_first_phases(unsigned d, std::uint64_t m, Direction direction)
{
    PhaseLine line;
    for (unsigned distance = d; distance >= 1; --distance)
        line.add(m * choose(d, distance).convert_to<std::uint64_t>(),
                 {fmt::format("distance {}", distance),
                  direction == Direction::forwards
                      ? fmt::format("The root sends the packets of {}, one per step: the farthest leave first, and are "
                                    "passed on while the others leave.",
                                    nodes_at(distance, d))
                      : fmt::format("The root receives the packets of {}, one per step: the farthest have the longest "
                                    "way, and come last.",
                                    nodes_at(distance, d))});
    return line.take();
}

Phases doubling_by_dimensions(unsigned d, std::uint64_t m, Direction direction)
{
    PhaseLine line;
    for (unsigned k = 0; k < d; ++k) {
        const std::string nodes = counted(bit(k), "node");
        line.add(
            m * bit(k),
            text_of_dimension(
                k, direction == Direction::forwards
                       ? fmt::format("Partners across dimension {} swap all that they hold, {}, one packet per step.",
                                     k, k == 0 ? "their own" : "what comes from " + nodes)
                       : fmt::format("Partners across dimension {} hand over their partial sums for {}, one packet "
                                     "per step, and add what comes.",
                                     k, k == 0 ? "each other" : nodes + " on the other side")));
    }
    return line.take();
}

Phases dimension_exchange_phases(unsigned d)
{
    PhaseLine line;
    for (unsigned k = 0; k < d; ++k)
        line.add(
            bit(d - 1),
            text_of_dimension(k, fmt::format("Partners across dimension {} swap the {} whose target lies on the other "
                                             "side, one per step.",
                                             k, counted(bit(d - 1), "block"))));
    return line.take();
}

Phases offset_phases(unsigned d)
{
    PhaseLine line;
    if (bit(d) > most_phases / 2)
        return whole_run(d * bit(d) / 2,
                         {"block by block", "Node 0's block for node 1 goes all its way, then that for node 2, and so "
                                            "on; every other node does the same, seen from itself."});
    for (NodeId x = 1; x < bit(d); ++x) {
        line.add(static_cast<std::uint64_t>(std::popcount(x)),
                 {fmt::format("block for node {}", x),
                  fmt::format("Node 0's block for node {} goes all its way, {}; every other node does the same, seen "
                              "from itself.",
                              x, counted(static_cast<std::uint64_t>(std::popcount(x)), "hop"))});
    }
    return line.take();
}

// `slots`: of a node, for blocks of others. One exchange after the other, for every packet of a message.
Entry total_exchange_entry(Entry head, Schedule (*schedule)(const Topology&), Phases (*phases)(unsigned d),
                           std::uint64_t (*slots)(const Topology&))
{
    head = costed_by_formula(std::move(head));
    head.storage = [slots](const Topology& topology, const Problem& problem) {
        return plan_bytes(topology.status(0)) + slots(topology) * topology.nodes() * problem.bytes;
    };
    head.phases = [phases](const Topology& topology, const Problem& problem) {
        return once_a_packet(problem.packets, topology.status(0), phases(topology.dimension()));
    };
    return plan_entry(
        std::move(head), [schedule](const Topology& topology, const Problem&) { return schedule(topology); },
        round_per_packet);
}

}  // namespace

Phases one_port_all_gather_phases(const Topology& topology, std::uint64_t packets, Direction direction)
{
    Phases phases = doubling_by_dimensions(topology.dimension(), packets, direction);
    return direction == Direction::forwards
               ? phases
               : mirrored(std::move(phases), packets * (topology.nodes() - std::uint64_t{1}));
}

std::vector<Entry> one_port_family()
{
    constexpr std::string_view referred = "textbook; Bertsekas et al. 1991, section 1, refers to it";
    return {
        planned_scatter_entry(
            {{.collective = Collective::scatter, .name = "farthest-first", .ports = PortModel::one},
             {.paper = referred,
              .origin = Origin::dcube,
              .summary = "one packet per step, the farthest nodes first",
              .idea = "The root sends a packet in every step, the one with the farthest to go first, along a "
                      "tree of shortest paths. What a node at distance h receives in step t left the root in "
                      "step t - h + 1, so no two packets meet; and a packet with h hops to go has its h - 1 "
                      "nearer ones behind it, so it is there in time.",
              .formula = {.steps = "m (N - 1)", .transmissions = "m d 2^(d - 1)"},
              .paper_note = "There: N - 1 steps if a node uses one link at a time."}},
            one_port_scatter, farthest_first_phases),
        planned_scatter_entry(
            {{.collective = Collective::gather, .name = "nearest-first", .ports = PortModel::one},
             {.paper = referred,
              .origin = Origin::dcube,
              .summary = "scatter farthest-first, backwards",
              .idea = "Scatter farthest-first read backwards: the nearest nodes' packets reach the root "
                      "first, the farthest ones' last, one in every step.",
              .formula = {.steps = "m (N - 1)", .transmissions = "m d 2^(d - 1)"},
              .paper_note = "It is the scatter backwards."}},
            one_port_scatter, farthest_first_phases),
        planned_all_gather_entry(
            {{.collective = Collective::all_gather, .name = "recursive-doubling", .ports = PortModel::one},
             {.paper = referred,
              .origin = Origin::dcube,
              .summary = "partners over port k swap the packets of 2^k origins",
              .idea = "Partners over port k swap all that they have: 1 packet over port 0, 2 over port 1, "
                      "4 over port 2. After port k every node has the packets of its subcube of 2^(k+1) "
                      "nodes: 1 + 2 + 4 + .. = N - 1 steps.",
              .formula = {.steps = "m (N - 1)", .transmissions = "m N (N - 1)"},
              .paper_note = "There: N - 1 steps if a node uses one link at a time."}},
            one_port_all_gather, one_port_all_gather_phases),
        planned_all_gather_entry(
            {{.collective = Collective::reduce_scatter, .name = "recursive-halving", .ports = PortModel::one},
             {.paper = referred,
              .origin = Origin::dcube,
              .summary = "all-gather by recursive doubling, backwards",
              .idea = "All-gather by recursive doubling read backwards: over the highest port every node "
                      "hands over its sums of the half of the blocks that belongs to the other side, adds "
                      "what comes, and goes on with the half that is left.",
              .formula = {.steps = "m (N - 1)", .transmissions = "m N (N - 1)"},
              .paper_note = "It reverses the all-gather by recursive doubling."}},
            one_port_all_gather, one_port_all_gather_phases),
        total_exchange_entry(
            {{.collective = Collective::all_to_all, .name = "offset-by-offset", .ports = PortModel::one},
             {.paper = "textbook",
              .origin = Origin::dcube,
              .summary = "the block for one offset goes all its way before the next: one block in transit",
              .idea =
                  "For one offset (target xor origin) after the other, all nodes send their block for it all its way, "
                  "lowest dimension first. All of them use the same port in a step, and a node never has more than one "
                  "block of another in transit, where dimension-exchange has half of all blocks.",
              .formula = {.steps = "m d 2^(d - 1)", .transmissions = "m d 2^(2 d - 1)"},
              .paper_note = "In none of the papers; Bertsekas et al. leave one port to others."}},
            offset_by_offset, offset_phases, [](const Topology&) { return std::uint64_t{2}; }),
        total_exchange_entry(
            {{.collective = Collective::all_to_all, .name = "dimension-exchange", .ports = PortModel::one},
             {.paper = referred,
              .origin = Origin::dcube,
              .summary = "dimension by dimension, half of all packets in each",
              .idea =
                  "Dimension by dimension: partners over port k swap all packets whose targets lie on the other side, "
                  "half of all that they have, from any origin. One port is busy all the time, the others never.",
              .formula = {.steps = "m d 2^(d - 1)", .transmissions = "m d 2^(2 d - 1)"},
              .paper_note = "There: d 2^(d-1) steps if a node uses one link at a time."}},
            one_port_all_to_all, dimension_exchange_phases,
            [](const Topology& topology) { return topology.nodes() / std::uint64_t{2} + 1; }),
    };
}

}  // namespace dcube::detail
