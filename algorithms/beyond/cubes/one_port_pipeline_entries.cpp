// The entries of one_port_pipeline.cpp, with their costs and phases.

#include "algorithms/beyond/cubes/one_port.hpp"
#include "algorithms/families.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/phases.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

namespace dcube::detail {

namespace {

// The holders of the last packet double in every step after the root has sent it, because nothing else is left to do.
Phases pipelined_phases(unsigned d, std::uint64_t m)
{
    return PhaseLine()
        .add(m,
             {"the root sends",
              m == 1 ? "The root sends its packet over dimension 0."
                     : fmt::format("The root sends another of its {} packets in every step; all nodes use dimension 0, "
                                   "then the next one and so on in turn, and pass on what they have got.",
                                   m)})
        .add(d - 1, {"the last packet spreads",
                     fmt::format("The root has sent all: the holders of the last packet double in each of these "
                                 "steps{}.",
                                 m == 1 ? "" : ", and the packets before it reach their last nodes")})
        .take();
}

Phases collected_phases(unsigned d, std::uint64_t m)
{
    return PhaseLine()
        .add(m, {"the root receives",
                 m == 1 ? "The last partial sum reaches the root over dimension 0."
                        : fmt::format("In every step a partial sum reaches the root and completes another of its {} "
                                      "packets.",
                                      m)})
        .add(d - 1, {"the first sum forms",
                     fmt::format("The last of the packets comes first: in each of these steps half of the nodes that "
                                 "hold a partial sum of it hand it over to the others{}.",
                                 m == 1 ? "" : ", and the next sums begin")})
        .take();
}

Entry pipelined_entry(Entry head, Phases (*phases)(unsigned d, std::uint64_t packets))
{
    return packet_stream_entry(costed_by_formula(std::move(head)), one_port_pipeline, phases);
}

}  // namespace

std::vector<Entry> one_port_pipeline_family()
{
    constexpr std::string_view problem = "Bertsekas et al. 1991, section 1 (the problem)";
    return {
        pipelined_entry(
            {{.collective = Collective::broadcast, .name = "pipelined", .ports = PortModel::one},
             {.paper = problem,
              .origin = Origin::dcube,
              .summary = "packets a step apart, each doubling its holders in every step",
              .idea =
                  "One port. A new packet leaves the root in every step, and in step t all nodes talk over dimension t "
                  "mod d, so a node meets one partner. Packet b doubles its holders over the next dimensions among the "
                  "nodes whose bit b mod d is 1, and crosses to the others when that dimension's turn comes again. The "
                  "last packet does not wait for that: it takes the places of packets that do not exist.",
              .formula = {.steps = "m + d - 1", .transmissions = "m (N - 1)"},
              .paper_note = "Bertsekas et al. pose the broadcast of one packet, in section 1. m packets with one port "
                            "in m + d - 1 steps are dcube's."}},
            pipelined_phases),
        pipelined_entry(
            {{.collective = Collective::reduce, .name = "pipelined", .ports = PortModel::one},
             {.paper = problem,
              .origin = Origin::dcube,
              .summary = "the pipelined broadcast, backwards",
              .idea =
                  "The pipelined broadcast read backwards: what was copied on is now added up. A node adds what has "
                  "come to its own share and hands the sum over once. Sending a share twice, to be safe, would "
                  "count it twice.",
              .formula = {.steps = "m + d - 1", .transmissions = "m (N - 1)"},
              .paper_note = "Bertsekas et al. name the problem (single node accumulation). The schedule is dcube's."}},
            collected_phases),
    };
}

}  // namespace dcube::detail
