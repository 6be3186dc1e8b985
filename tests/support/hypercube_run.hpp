#pragma once
// A collective of 1-byte packets run on a hypercube, every byte checked.

#include "tests/support/catch.hpp"

#include <dcube/dcube.hpp>

#include <string>

namespace test_support {

using namespace dcube;

inline Report run_one(unsigned d, PortModel ports, Collective collective, std::size_t packets,
                      const std::string& algorithm, unsigned threads)
{
    Machine machine(Topology::hypercube(d), {.ports = ports, .threads = threads});
    VerifiedRunOptions trial;
    CallOptions options;
    options.algorithm = algorithm;
    return run_verified(machine, {collective, 1, packets}, trial, options);
}

inline Cost counted(const Report& report)
{
    return {report.counts.steps, report.counts.transmissions};
}

}  // namespace test_support

namespace Catch {
template <>
struct StringMaker<dcube::Cost> {
    static std::string convert(const dcube::Cost& cost)
    {
        return std::to_string(cost.steps) + " steps, " + std::to_string(cost.transmissions) + " transmissions";
    }
};
}  // namespace Catch
