// The entries of unit_broadcast.cpp, with their costs and phases.

#include "algorithms/families.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/papers/stout_wagar/broadcast.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/tree_pipeline.hpp"
#include "base/arithmetic.hpp"

#include <dcube/topology.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <utility>

namespace dcube::detail {

namespace {

Phases tree_phases(unsigned d, std::uint64_t m)
{
    return PhaseLine()
        .add(ceil_div(m, d),
             {"the root sends",
              m <= d ? fmt::format("The root sends {}, {} own tree; a node that gets one passes it on in "
                                   "the next step.",
                                   counted(m, "packet"), m == 1 ? "down its" : "each down its")
                     : fmt::format("The root sends up to {} new packets in every step, each down its "
                                   "own tree; the others pass on what came in the step before.",
                                   d)})
        .add(d - 1, {"the last packets spread",
                     fmt::format("The root has no new packets: the last ones still have up to {} to go, for the "
                                 "farthest node is {} links away.",
                                 counted(d - 1, "link"), d)})
        .take();
}

Phases summed_phases(unsigned d, std::uint64_t m)
{
    return PhaseLine()
        .add(ceil_div(m, d), {"the root completes sums",
                              m == 1 ? "The last partial sums reach the root, which completes the sum."
                                     : fmt::format("In every step the root completes up to {} of its {} sums, each at "
                                                   "the top of its own tree.",
                                                   d, m)})
        .add(d - 1,
             {"the first sums form", "The shares of the trees' lowest nodes begin their way up, one link per step, and "
                                     "are added to others on the way."})
        .take();
}

Entry recursive_doubling_entry(Entry head)
{
    head.obstacle = [](const Topology&, const Problem& problem) {
        return problem.packets == 1 ? std::string() : "it takes one packet";
    };
    head.storage = [](const Topology&, const Problem&) { return std::uint64_t{0}; };
    head.phases = [](const Topology& topology, const Problem&) { return doubling_phases(topology.dimension()); };
    head.prepare = doubling_program;
    return costed_by_formula(std::move(head));
}

Entry pipelined_trees_entry(Entry head, Phases (*phases)(unsigned d, std::uint64_t packets))
{
    return packet_stream_entry(costed_by_formula(std::move(head)), tree_pipeline, phases);
}

}  // namespace

std::vector<Entry> doubling_family()
{
    return {
        recursive_doubling_entry(
            {{.collective = Collective::broadcast, .name = "recursive-doubling", .ports = PortModel::one},
             {.aliases = {"binomial tree"},
              .paper = "Stout & Wagar 1990, section 2 (BROADCAST 1)",
              .origin = Origin::paper,
              .summary = "every step doubles the subcube that is informed",
              .idea = "Every node that has the packet informs a new neighbour in every step, all of them over the same "
                      "dimension. So the nodes that are informed are a subcube, and every step doubles it. Every node "
                      "receives exactly once: N - 1 transmissions are enough. One port or all, it is the same run: "
                      "distance limits it, not the ports.",
              .formula = {.steps = "d", .transmissions = "N - 1"},
              .paper_note = "Stout & Wagar have it as BROADCAST 1: d stages, each of the whole message. In steps, for "
                            "one packet, it is optimal with one port and with all: d."}}),
    };
}

std::vector<Entry> pipelined_trees_family()
{
    constexpr std::string_view broadcast_4 = "Stout & Wagar 1990, section 2 (BROADCAST 4)";
    return {
        pipelined_trees_entry(
            {{.collective = Collective::broadcast, .name = "pipelined-trees"},
             {.aliases = {"optimal"},
              .paper = broadcast_4,
              .origin = Origin::refinement,
              .summary = "groups of d packets a step apart in d edge-disjoint trees",
              .idea = "d trees that share no link: packet i mod d goes down tree i, and the next d packets follow one "
                      "step behind. In tree i a node x with bit i is reached in stage |x| - 1, a node without it over "
                      "dimension i in stage |x| + 1. So each link belongs to one tree and one stage, and groups can "
                      "follow each other without meeting.",
              .formula = {.steps = "ceil(m/d) + d - 1", .transmissions = "m (N - 1)"},
              .paper_note = "BROADCAST 4 of Stout & Wagar has d + g - 1 stages for g groups of d packets, but brings "
                            "some packets to nodes that have them. Without these, and for any number of packets, it is "
                            "dcube's: as many steps, and the fewest transmissions."}},
            tree_phases),
        pipelined_trees_entry(
            {{.collective = Collective::reduce, .name = "pipelined-trees"},
             {.aliases = {"optimal"},
              .paper = broadcast_4,
              .origin = Origin::refinement,
              .summary = "the broadcast in d trees, backwards",
              .idea =
                  "The broadcast in d trees read backwards: leaves send first, every node adds what has come to its "
                  "own share and hands the sum over once. Block i mod d is summed up in tree i.",
              .formula = {.steps = "ceil(m/d) + d - 1", .transmissions = "m (N - 1)"},
              .paper_note = "BROADCAST 4 of Stout & Wagar, without the packets that bring nothing new, and backwards. "
                            "The paper has no reduce."}},
            summed_phases),
    };
}

}  // namespace dcube::detail
