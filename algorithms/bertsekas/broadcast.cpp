// Broadcast: the root's message reaches every node. Reduce: the root gets the sum of all messages, element by element.
// m packets, N = 2^d nodes.
//
//   recursive-doubling   one port    d steps               N-1 transmissions      one packet only
//   pipelined            one port    m+d-1 steps           m(N-1) transmissions   both optimal
//   pipelined-trees      all ports   ceil(m/d)+d-1 steps   m(N-1) transmissions   both optimal
//   and the last two backwards: a packet becomes a partial sum that is handed over once.
//
// recursive-doubling is BROADCAST 1 of Stout & Wagar 1990, section 2, with unit packets. pipelined is dcube's
// (one_port_pipeline.hpp). pipelined-trees takes as long as their BROADCAST 4 with unit packets, but brings no packet
// twice (tree_pipeline.hpp). Bertsekas et al. 1991, section 1, define the problem and leave it to others.
//
// Planning: none. A node's pipeline is a few words a port; inner nodes of a reduction hold m packets.

#include "algorithms/bertsekas/one_port_pipeline.hpp"
#include "algorithms/families.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/stream.hpp"
#include "algorithms/programs/tree_pipeline.hpp"
#include "base/arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dcube::detail {

namespace {

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

std::uint64_t steps(const Topology& topology, const Problem& problem, PortModel ports)
{
    const std::uint64_t d = topology.dimension();
    if (d == 0)
        return 0;
    return (ports == PortModel::all ? ceil_div<std::uint64_t>(problem.packets, d) : problem.packets) + d - 1;
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

Phases phases_of(const Topology& topology, const Problem& problem, PortModel ports)
{
    const unsigned d = topology.dimension();
    if (d == 0)
        return {};
    const bool one = ports == PortModel::one;
    if (problem.collective == Collective::broadcast)
        return one ? pipelined_phases(d, problem.packets) : tree_phases(d, problem.packets);
    return mirrored(one ? collected_phases(d, problem.packets) : summed_phases(d, problem.packets),
                    steps(topology, problem, ports));
}

Algorithm with_cost(Algorithm head)
{
    head.cost = [ports = head.ports](const Topology& topology, const Problem& problem) {
        return Cost{steps(topology, problem, ports), problem.packets * (topology.nodes() - std::uint64_t{1})};
    };
    return head;
}

Algorithm recursive_doubling_entry(Algorithm head)
{
    head.obstacle = [](const Topology&, const Problem& problem) {
        return problem.packets == 1 ? std::string() : "it takes one packet";
    };
    head.storage = [](const Topology&, const Problem&) { return std::size_t{0}; };
    head.phases = [](const Topology& topology, const Problem&) { return doubling_phases(topology.dimension()); };
    head.prepare = [](const Topology&, const Problem& problem) -> CollectiveProgram {
        return [root = problem.root](Node& me, NodeData data) { return recursive_doubling(me, root, data); };
    };
    return with_cost(std::move(head));
}

Algorithm pipeline_entry(Algorithm head)
{
    const PortModel ports = head.ports;
    head.storage = [](const Topology& topology, const Problem& problem) {
        const std::size_t pipelines = std::size_t{topology.nodes()} * (topology.dimension() + 1) * 64;
        const std::size_t sums =
            problem.collective == Collective::broadcast ? 0 : problem.packets * (problem.bytes + 1);
        return pipelines + topology.nodes() * sums;
    };
    head.phases = [ports](const Topology& topology, const Problem& problem) {
        return phases_of(topology, problem, ports);
    };
    return stream_entry(with_cost(std::move(head)), [ports](const Topology& topology, const Problem& problem) {
        const auto make = ports == PortModel::all ? tree_pipeline : one_port_pipeline;
        const auto packets = static_cast<std::uint32_t>(problem.packets);
        return Stream{[=](unsigned d, NodeId label) { return make(d, label, packets); },
                      static_cast<Step>(steps(topology, problem, ports)), PacketCut::equal(problem.bytes, packets)};
    });
}

}  // namespace

std::vector<Algorithm> broadcast_family()
{
    constexpr std::string_view problem = "Bertsekas et al. 1991, section 1 (the problem)";
    constexpr std::string_view broadcast_4 = "Stout & Wagar 1990, section 2 (BROADCAST 4)";
    return {
        recursive_doubling_entry({.collective = Collective::broadcast,
                                  .name = "recursive-doubling",
                                  .aliases = {"binomial tree"},
                                  .paper = "Stout & Wagar 1990, section 2 (BROADCAST 1)",
                                  .origin = Origin::paper,
                                  .summary = "every step doubles the subcube that is informed",
                                  .ports = PortModel::one}),
        pipeline_entry({.collective = Collective::broadcast,
                        .name = "pipelined",
                        .paper = problem,
                        .origin = Origin::dcube,
                        .summary = "packets a step apart, each doubling its holders in every step",
                        .ports = PortModel::one}),
        pipeline_entry({.collective = Collective::broadcast,
                        .name = "pipelined-trees",
                        .aliases = {"optimal"},
                        .paper = broadcast_4,
                        .origin = Origin::refinement,
                        .summary = "groups of d packets a step apart in d edge-disjoint trees"}),
        pipeline_entry({.collective = Collective::reduce,
                        .name = "pipelined",
                        .paper = problem,
                        .origin = Origin::dcube,
                        .summary = "the pipelined broadcast, backwards",
                        .ports = PortModel::one}),
        pipeline_entry({.collective = Collective::reduce,
                        .name = "pipelined-trees",
                        .aliases = {"optimal"},
                        .paper = broadcast_4,
                        .origin = Origin::refinement,
                        .summary = "the broadcast in d trees, backwards"}),
    };
}

}  // namespace dcube::detail
