// Whatever a trace says, judging it ends with a verdict, a TraceError or an InvalidArgument.
// The first four bytes choose collective and port model, dimension, packet size and packets; the rest is the trace.

#include <dcube/judge.hpp>

#include <cstdint>
#include <sstream>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size < 4)
        return 0;
    const dcube::Topology topology = dcube::Topology::hypercube(data[1] % 4);
    const dcube::Problem problem{
        .collective = dcube::all_collectives[data[0] % 8],
        .bytes = data[2] % 8U + (data[2] == 0xff ? std::size_t{1} << 62 : 0),
        .packets = data[3] % 4U,
        .root = data[1] / 4U % 9,
        .type = data[2] % 2 == 0 ? dcube::ElementType::int16 : dcube::ElementType::uint8,
    };
    const auto ports = data[0] / 8 % 2 == 0 ? dcube::PortModel::all : dcube::PortModel::one;
    std::istringstream trace(std::string(reinterpret_cast<const char*>(data) + 4, size - 4));
    try {
        dcube::judge_trace(trace, topology, ports, problem);
    } catch (const dcube::TraceError&) {
    } catch (const dcube::InvalidArgument&) {
    }
    return 0;
}
