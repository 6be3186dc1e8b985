// Broadcast: the root's message reaches every node. Reduce: the root gets the sum of all messages, element by element.
// m packets, N = 2^d nodes.
//
//   recursive-doubling   one port    d steps               N-1 transmissions      one packet only
//   pipelined            one port    m+d-1 steps           m(N-1) transmissions   both optimal
//   pipelined-trees      all ports   ceil(m/d)+d-1 steps   m(N-1) transmissions   both optimal
//   and the last two backwards: a packet becomes a partial sum that is handed over once.
//
// recursive-doubling is BROADCAST 1 of Stout & Wagar 1990, section 2, with unit packets. pipelined is dcube's
// (OnePortPipeline). pipelined-trees takes as long as their BROADCAST 4 with unit packets, but brings no packet twice
// (tree_pipeline.hpp). Bertsekas et al. 1991, section 1, define the problem and leave it to others.
//
// Planning: none. A node's pipeline is a few words a port; inner nodes of a reduction hold m packets.

#include "algorithms/families.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/stream.hpp"
#include "algorithms/programs/tree_pipeline.hpp"
#include "base/arithmetic.hpp"

#include <dcube/topology.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

namespace dcube::detail {

namespace {

// Broadcast of many packets on one port, dcube's own: packet b leaves the root in step b + 1, doubles its holders in
// every step among the nodes with bit b mod d, and comes to the others d steps later.
//
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

// Before stage k the nodes with label < 2^k hold the message; each sends it across dimension k, so every stage doubles
// the subcube that is informed.
Task recursive_doubling(Node& me, NodeId root, NodeData data)
{
    const NodeId label = me.topology().untranslate(me.id(), root);  // relabelled so that the root is 0
    if (label == 0)
        std::ranges::copy(data.input, data.output.begin());

    Packet message{data.input, 0, me.usable_now()};
    for (Port k = 0; k < me.ports(); ++k) {
        if (label < bit(k))
            me.send(k, message);
        co_await me.next_step();
        if (label >> k == 1)  // k is my highest 1 bit: this is the one packet meant for me
            message = me.receive(k, data.output);
    }
}

// On one port the holders of the last packet double in every step after the root has sent it, because nothing else is
// left to do; on all ports it has come one of at most d links.
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

Phases tree_phases(unsigned d, std::uint64_t m)
{
    return PhaseLine()
        .add(ceil_div(m, d),
             {"the root sends", m <= d ? fmt::format("The root sends {}, {} own tree; whoever gets one passes it on in "
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
             {"the first sums form", "The shares of the trees' lowest nodes begin their way up, a link a step, and "
                                     "are added to others on the way."})
        .take();
}

Phases phases_of(const Topology& topology, const Problem& problem, PortModel ports, std::uint64_t steps)
{
    const unsigned d = topology.dimension();
    if (d == 0)
        return {};
    const bool one = ports == PortModel::one;
    if (problem.collective == Collective::broadcast)
        return one ? pipelined_phases(d, problem.packets) : tree_phases(d, problem.packets);
    return mirrored(one ? collected_phases(d, problem.packets) : summed_phases(d, problem.packets), steps);
}

Algorithm recursive_doubling_entry(Algorithm head)
{
    head.obstacle = [](const Topology&, const Problem& problem) {
        return problem.packets == 1 ? std::string() : "it takes one packet";
    };
    head.storage = [](const Topology&, const Problem&) { return std::uint64_t{0}; };
    head.phases = [](const Topology& topology, const Problem&) { return doubling_phases(topology.dimension()); };
    head.prepare = [](const Topology&, const Problem& problem) -> CollectiveProgram {
        return [root = problem.root](Node& me, NodeData data) { return recursive_doubling(me, root, data); };
    };
    return costed_by_formula(std::move(head));
}

Algorithm pipeline_entry(Algorithm head)
{
    head = costed_by_formula(std::move(head));
    const auto steps = [cost = head.cost](const Topology& topology, const Problem& problem) {
        return cost(topology, problem).steps;
    };
    const PortModel ports = head.ports;
    head.storage = [](const Topology& topology, const Problem& problem) {
        const std::uint64_t pipelines = std::uint64_t{topology.nodes()} * (topology.dimension() + 1) * 64;
        const std::uint64_t sums = problem.collective == Collective::broadcast
                                       ? 0
                                       : std::uint64_t{problem.packets} * (std::uint64_t{problem.bytes} + 1);
        return pipelines + topology.nodes() * sums;
    };
    head.phases = [ports, steps](const Topology& topology, const Problem& problem) {
        return phases_of(topology, problem, ports, steps(topology, problem));
    };
    return stream_entry(std::move(head), [ports, steps](const Topology& topology, const Problem& problem) {
        const auto make = ports == PortModel::all ? tree_pipeline : one_port_pipeline;
        const auto packets = static_cast<std::uint32_t>(problem.packets);
        return Stream{[=](unsigned d, NodeId label) { return make(d, label, packets); },
                      static_cast<Step>(steps(topology, problem)), PacketCut::equal(problem.bytes, packets)};
    });
}

}  // namespace

std::vector<Algorithm> broadcast_family()
{
    constexpr std::string_view problem = "Bertsekas et al. 1991, section 1 (the problem)";
    constexpr std::string_view broadcast_4 = "Stout & Wagar 1990, section 2 (BROADCAST 4)";
    return {
        recursive_doubling_entry(
            {.collective = Collective::broadcast,
             .name = "recursive-doubling",
             .aliases = {"binomial tree"},
             .paper = "Stout & Wagar 1990, section 2 (BROADCAST 1)",
             .origin = Origin::paper,
             .summary = "every step doubles the subcube that is informed",
             .idea = "Every node that has the packet informs a new neighbour in every step, all of them over the same "
                     "dimension. So the nodes that are informed are a subcube, and every step doubles it. Every node "
                     "receives exactly once: N - 1 transmissions are enough. One port or all, it is the same run: "
                     "distance limits it, not the ports.",
             .formula = {.steps = "d", .transmissions = "N - 1"},
             .paper_note = "Stout & Wagar have it as BROADCAST 1: d stages, each of the whole message. In steps, for "
                           "one packet, it is optimal with one port and with all: d.",
             .ports = PortModel::one}),
        pipeline_entry(
            {.collective = Collective::broadcast,
             .name = "pipelined",
             .paper = problem,
             .origin = Origin::dcube,
             .summary = "packets a step apart, each doubling its holders in every step",
             .idea =
                 "One port. A new packet leaves the root in every step, and in step t all nodes talk over dimension t "
                 "mod d, so a node meets one partner. Packet b doubles its holders over the next dimensions among the "
                 "nodes whose bit b mod d is 1, and crosses to the others when that dimension's turn comes again. The "
                 "last packet does not wait for that: it takes the places of packets that do not exist.",
             .formula = {.steps = "m + d - 1", .transmissions = "m (N - 1)"},
             .paper_note = "Bertsekas et al. pose the broadcast of one packet, in section 1. m packets with one port "
                           "in m + d - 1 steps are dcube's.",
             .ports = PortModel::one}),
        pipeline_entry(
            {.collective = Collective::broadcast,
             .name = "pipelined-trees",
             .aliases = {"optimal"},
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
                           "dcube's: as many steps, and the fewest transmissions."}),
        pipeline_entry(
            {.collective = Collective::reduce,
             .name = "pipelined",
             .paper = problem,
             .origin = Origin::dcube,
             .summary = "the pipelined broadcast, backwards",
             .idea = "The pipelined broadcast read backwards: what was copied on is now added up. A node adds what has "
                     "come to its own share and hands the sum over once. Sending a share twice, to be safe, would "
                     "count it twice.",
             .formula = {.steps = "m + d - 1", .transmissions = "m (N - 1)"},
             .paper_note = "Bertsekas et al. name the problem (single node accumulation). The schedule is dcube's.",
             .ports = PortModel::one}),
        pipeline_entry(
            {.collective = Collective::reduce,
             .name = "pipelined-trees",
             .aliases = {"optimal"},
             .paper = broadcast_4,
             .origin = Origin::refinement,
             .summary = "the broadcast in d trees, backwards",
             .idea = "The broadcast in d trees read backwards: leaves send first, every node adds what has come to its "
                     "own share and hands the sum over once. Block i mod d is summed up in tree i.",
             .formula = {.steps = "ceil(m/d) + d - 1", .transmissions = "m (N - 1)"},
             .paper_note = "BROADCAST 4 of Stout & Wagar, without the packets that bring nothing new, and backwards. "
                           "The paper has no reduce."}),
    };
}

}  // namespace dcube::detail
