// Broadcast and reduce of many packets on one port. m packets, N = 2^d nodes; dcube's, beyond the papers.
//
//   pipelined   one port   m+d-1 steps   m(N-1) transmissions   both optimal
//   pipelined   backwards: a packet becomes a partial sum that is handed over once
//
// Idea: packet b leaves the root in step b + 1, doubles its holders in every step among the nodes with bit b mod d, and
// comes to the others d steps later. Bertsekas et al. 1991, section 1, define the problem and leave it to others.
//
// Planning: none. A node's pipeline is a few words a port; inner nodes of a reduction hold m packets.

#include "algorithms/families.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace dcube::detail {

namespace {

// In step t + 1 everything happens on port k = t mod d. A node v != 0 with bit k hears packet t - d + a, for the
// smallest a in 1 .. d-1 with bit k + a (mod d) of v, or packet t if there is none; one without bit k hears packet
// t - d. The last packet also takes the slots of those that do not exist. So there are m + d - 1 steps, and every node
// hears every packet once.
class OnePortPipeline final : public Pipeline {
public:
    OnePortPipeline(unsigned d, NodeId label, std::uint32_t packets) : d_(d), label_(label), packets_(packets) {}

    [[nodiscard]] std::optional<std::uint32_t> arrival(Port port, Step step) const override
    {
        return heard_by(label_, port, step - 1);
    }
    [[nodiscard]] std::optional<std::uint32_t> departure(Port port, Step step) const override
    {
        return heard_by(label_ ^ bit(port), port, step - 1);
    }

private:
    [[nodiscard]] std::optional<std::uint32_t> heard_by(NodeId node, Port port, Step t) const
    {
        const Port k = t % d_;
        if (port != k || node == 0)
            return std::nullopt;
        const auto before = static_cast<std::int64_t>(t) - d_;
        if (!has_bit(node, k)) {
            if (before < 0 || before >= static_cast<std::int64_t>(packets_) - 1)
                return std::nullopt;
            return static_cast<std::uint32_t>(before);
        }
        std::int64_t packet = t;
        for (unsigned a = 1; a < d_; ++a) {
            if (has_bit(node, (k + a) % d_)) {
                packet = before + a;
                break;
            }
        }
        if (packet < 0)
            return std::nullopt;
        return static_cast<std::uint32_t>(std::min<std::int64_t>(packet, packets_ - 1));
    }

    unsigned d_;
    NodeId label_;
    std::uint32_t packets_;
};

std::unique_ptr<Pipeline> one_port_pipeline(unsigned d, NodeId label, std::uint32_t packets)
{
    return std::make_unique<OnePortPipeline>(d, label, packets);
}

// The holders of the last packet double in every step after the root has sent it, because nothing else is left to do.
Phases pipelined_phases(unsigned d, std::uint64_t m)
{
    return PhaseLine()
        .add(m, {"the root sends",
                 m == 1 ? "The root sends its packet over dimension 0."
                        : fmt::format("The root sends another of its {} packets in every step; in step t all nodes use "
                                      "dimension (t - 1) mod {} and pass on what they have got.",
                                      m, d)})
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

Entry pipelined_entry(Entry head)
{
    head = costed_by_formula(std::move(head));
    head.phases = [cost = head.cost](const Topology& topology, const Problem& problem) {
        const unsigned d = topology.dimension();
        return problem.collective == Collective::broadcast
                   ? pipelined_phases(d, problem.packets)
                   : mirrored(collected_phases(d, problem.packets), cost(topology, problem).steps);
    };
    return packet_stream_entry(std::move(head), one_port_pipeline);
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
                            "in m + d - 1 steps are dcube's."}}),
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
              .paper_note = "Bertsekas et al. name the problem (single node accumulation). The schedule is dcube's."}}),
    };
}

}  // namespace dcube::detail
