// Names of topologies and files of graphs: reading one ends with a network or an InvalidArgument. The first byte
// chooses which of the two the rest is.

#include <dcube/error.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

// A sample of the links, there and back.
void walk(const dcube::Topology& topology)
{
    for (dcube::NodeId node = 0; node < topology.nodes(); node += 1 + topology.nodes() / 64)
        for (dcube::Port port = 0; port < topology.ports(node); ++port) {
            const dcube::NodeId neighbour = topology.neighbour(node, port);
            if (topology.neighbour(neighbour, topology.arrival_port(node, port)) != node ||
                topology.distance(node, neighbour) != 1)
                std::abort();
        }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0)
        return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    try {
        if (data[0] % 2 == 0)
            walk(dcube::Topology::product({dcube::Graph::from_text("a graph", text)}));
        else if (text.find("graph:") == std::string_view::npos)  // no files
            walk(dcube::Topology::parse(text));
    } catch (const dcube::InvalidArgument&) {
    }
    return 0;
}
