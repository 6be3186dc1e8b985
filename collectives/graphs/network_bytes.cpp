#include "collectives/graphs/network_bytes.hpp"

namespace dcube::detail {

namespace {

template <class Network>
void write_links(ByteWriter& bytes, const Network& network)
{
    for (NodeId node = 0; node < network.nodes(); ++node) {
        bytes.number(network.ports(node));
        for (Port port = 0; port < network.ports(node); ++port)
            bytes.number(network.neighbour(node, port));
    }
}

}  // namespace

// A group's product follows from its generators, which are what ports lead along.
void write_network(ByteWriter& bytes, const Graph& graph)
{
    bytes.number(graph.nodes());
    bytes.number(static_cast<std::uint64_t>(graph.kind()));
    write_links(bytes, graph);
}

// The network's own links too: they say what it lacks.
void write_network(ByteWriter& bytes, const Topology& topology)
{
    bytes.number(topology.nodes());
    bytes.number(topology.dimension());
    for (unsigned i = 0; i < topology.dimension(); ++i)
        write_network(bytes, topology.factor(i));
    write_links(bytes, topology);
}

}  // namespace dcube::detail
