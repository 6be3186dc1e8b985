// Traces: judging one ends with a verdict, a TraceError or an InvalidArgument.
// The first four bytes choose collective and port model, network and link model, packet size and packets, and what
// else a collective needs; the rest is the trace.

#include <dcube/judge.hpp>

#include <cstdint>
#include <iterator>
#include <sstream>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size < 4)
        return 0;
    static const dcube::Topology networks[] = {
        dcube::Topology::hypercube(0),        dcube::Topology::hypercube(1),
        dcube::Topology::hypercube(2),        dcube::Topology::hypercube(3),
        dcube::Topology::parse("mesh:2x3"),   dcube::Topology::parse("torus:3x3"),
        dcube::Topology::parse("complete:4"), dcube::Topology::parse("path:3*star:3")};
    const dcube::Topology& topology = networks[data[1] % std::size(networks)];
    dcube::Problem problem{
        .collective = dcube::all_collectives[data[0] % std::size(dcube::all_collectives)],
        .bytes = data[2] % 8U + (data[2] == 0xff ? std::size_t{1} << 62 : 0),
        .packets = data[3] % 4U,
        .root = data[1] / 8U % 9,
        .type = data[2] % 2 == 0 ? dcube::ElementType::int16 : dcube::ElementType::uint8,
    };
    problem.peer = data[2] / 8U % 9;
    problem.rows = data[3] / 4U % 16;
    problem.columns = data[2] / 8U % 16;
    problem.layout = static_cast<dcube::MatrixLayout>(data[3] % 6);
    problem.to_layout = static_cast<dcube::MatrixLayout>(data[2] % 6);
    for (dcube::NodeId node = 0; node < topology.nodes(); ++node)
        problem.permutation.push_back((node + data[3]) % topology.nodes());
    if (data[1] >= 0x80)
        problem.link = {dcube::LinkKind::link_bound, {data[2] % 5, 1}, {data[3] % 7, 2}, dcube::LinkClock::data_driven};
    const auto ports = data[0] / 16 % 2 == 0 ? dcube::PortModel::all : dcube::PortModel::one;
    std::istringstream trace(std::string(reinterpret_cast<const char*>(data) + 4, size - 4));
    try {
        dcube::judge_trace(trace, topology, ports, problem);
    } catch (const dcube::TraceError&) {
    } catch (const dcube::InvalidArgument&) {
    }
    return 0;
}
