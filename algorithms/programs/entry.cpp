#include "algorithms/programs/entry.hpp"

#include <memory>

namespace dcube::detail {

namespace {

// Counts the packets that a stream sends, by asking every node.
std::uint64_t packets(const Stream& stream, const Topology& topology)
{
    std::uint64_t count = 0;
    for (NodeId label = 0; label < topology.nodes(); ++label) {
        const auto pipeline = stream.make(topology.dimension(), label);
        for (Step step = 1; step <= stream.steps; ++step)
            for (Port port = 0; port < topology.ports(label); ++port)
                if (const auto packet = pipeline->departure(port, step))
                    count += stream.cut(*packet).length != 0;
    }
    return count;
}

Algorithm link_bound(Algorithm head)
{
    head.link = LinkKind::link_bound;
    head.ports = PortModel::all;
    // Bytes under way, and a word or two for every stretch that is held.
    head.storage = [](const Topology& topology, const Problem& problem) {
        constexpr std::size_t per_link = 512;
        const Layout layout(problem, topology);
        return 2 * std::max(layout.input_bytes, layout.output_bytes) + topology.directed_links() * per_link;
    };
    return head;
}

}  // namespace

std::function<std::optional<Rational>(const Topology&, const Problem&)>
in_ns(std::function<Exact(const Topology&, const Problem&)> time)
{
    return [time = std::move(time)](const Topology& topology, const Problem& problem) -> std::optional<Rational> {
        return topology.nodes() == 1 ? Rational{} : to_rational(time(topology, problem));
    };
}

Algorithm routed(Algorithm head, std::function<Routing(const Topology&, const Problem&)> route)
{
    Algorithm algorithm = link_bound(std::move(head));
    algorithm.cost = [route](const Topology& topology, const Problem& problem) {
        const Routing routing = route(topology, problem);
        return Cost{routing.stages, packets(routing, topology)};
    };
    algorithm.prepare = [route](const Topology& topology, const Problem& problem) -> CollectiveProgram {
        const auto routing = std::make_shared<const Routing>(route(topology, problem));
        const auto messages = messages_of(problem, topology);
        return [=](Node& me, NodeData data) { return carry(me, *routing, *messages, problem, data); };
    };
    return algorithm;
}

Algorithm streamed(Algorithm head, std::function<Stream(const Topology&, const Problem&)> make)
{
    Algorithm algorithm = link_bound(std::move(head));
    algorithm.cost = [make](const Topology& topology, const Problem& problem) {
        const Stream stream = make(topology, problem);
        return Cost{stream.steps, packets(stream, topology)};
    };
    // A node's pipeline; sums, or what is only passed on.
    algorithm.storage = [](const Topology& topology, const Problem& problem) {
        const std::size_t pipelines = topology.directed_links() * 64;
        const bool none = problem.collective == Collective::broadcast;
        return pipelines + (none ? 0 : topology.nodes() * (Layout(problem, topology).message + 64));
    };
    algorithm.prepare = [make](const Topology& topology, const Problem& problem) -> CollectiveProgram {
        const Stream stream = make(topology, problem);
        const auto program = problem.collective == Collective::reduce ? accumulate : spread;
        return [=](Node& me, NodeData data) { return program(me, stream, problem, data); };
    };
    return algorithm;
}

}  // namespace dcube::detail
