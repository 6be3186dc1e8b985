// Broadcast: the root's message reaches every node. Reduce: the root gets the sum of all messages, element by element.
// Bertsekas et al. 1991, section 1 (single node broadcast, single node accumulation). m packets.
//
//   recursive-doubling   one port    d steps               N-1 transmissions      one packet
//   pipelined            one port    m+d-1 steps           m(N-1) transmissions   both optimal
//   pipelined-trees      all ports   ceil(m/d)+d-1 steps   m(N-1) transmissions   both optimal

#include "algorithms/bertsekas/one_port_pipeline.hpp"
#include "algorithms/families.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/plan.hpp"
#include "algorithms/programs/stream.hpp"
#include "algorithms/programs/tree_pipeline.hpp"

#include "base/arithmetic.hpp"

#include "base/arithmetic.hpp"

#include <bit>

namespace dcube::detail {

namespace {

// Before stage k the nodes with label < 2^k hold the message; each sends it across dimension k, so every stage doubles
// the subcube that is informed.
Task recursive_doubling(Node& me, NodeId root, NodeData data)
{
    const NodeId label = me.topology().untranslate(me.id(), root);  // relabelled so that the root is 0
    if (label == 0)
        std::copy(data.input.begin(), data.input.end(), data.output.begin());

    Packet message{data.input};
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
    return (ports == PortModel::all ? ceil_div(problem.packets, d) : problem.packets) + d - 1;
}

std::uint64_t transmissions(const Topology& topology, const Problem& problem)
{
    return problem.packets * (topology.nodes() - 1);
}

// Inner nodes of a reduction add up in storage of their own; a node's pipeline knows a few words a port.
std::size_t storage(const Topology& topology, const Problem& problem)
{
    const std::size_t pipelines = std::size_t{topology.nodes()} * (topology.dimension() + 1) * 64;
    if (problem.collective == Collective::broadcast)
        return pipelines;
    return pipelines + topology.nodes() * problem.packets * (problem.bytes + 1);
}

CollectiveProgram prepare(const Topology& topology, const Problem& problem, PortModel ports)
{
    const auto make = ports == PortModel::all ? tree_pipeline : one_port_pipeline;
    const auto packets = static_cast<std::uint32_t>(problem.packets);
    const Stream stream{[=](unsigned d, NodeId label) { return make(d, label, packets); },
                        static_cast<Step>(steps(topology, problem, ports)), PacketCut::equal(problem.bytes, packets)};
    const auto program = problem.collective == Collective::broadcast ? run_broadcast_stream : run_reduce_stream;
    return [=](Node& me, NodeData data) { return program(me, stream, problem, data); };
}

Algorithm entry(Collective collective, PortModel ports, std::string_view name, std::vector<std::string_view> aliases,
                std::string_view summary)
{
    return {
        .collective = collective,
        .name = name,
        .aliases = std::move(aliases),
        .paper = "Bertsekas et al. 1991, section 1",
        .summary = summary,
        .ports = ports,
        .cost =
            [ports](const Topology& topology, const Problem& problem) {
                return Cost{steps(topology, problem, ports), transmissions(topology, problem)};
            },
        .storage = storage,
        .prepare = [ports](const Topology& topology,
                           const Problem& problem) { return prepare(topology, problem, ports); },
    };
}

Algorithm recursive_doubling_entry()
{
    Algorithm algorithm = entry(Collective::broadcast, PortModel::one, "recursive-doubling", {"binomial tree"},
                                "every step doubles the subcube that is informed");
    algorithm.obstacle = [](const Topology&, const Problem& problem) {
        return problem.packets == 1 ? std::string() : "it takes one packet";
    };
    algorithm.prepare = [](const Topology&, const Problem& problem) -> CollectiveProgram {
        return [root = problem.root](Node& me, NodeData data) { return recursive_doubling(me, root, data); };
    };
    return algorithm;
}

}  // namespace

std::vector<Algorithm> broadcast_family()
{
    return {
        recursive_doubling_entry(),
        entry(Collective::broadcast, PortModel::one, "pipelined", {},
              "packets a step apart, each doubling its holders in every step"),
        entry(Collective::broadcast, PortModel::all, "pipelined-trees", {"optimal"},
              "groups of d packets a step apart in d edge-disjoint trees"),
        entry(Collective::reduce, PortModel::one, "pipelined", {}, "the pipelined broadcast, backwards"),
        entry(Collective::reduce, PortModel::all, "pipelined-trees", {"optimal"},
              "the broadcast in d trees, backwards"),
    };
}

}  // namespace dcube::detail
