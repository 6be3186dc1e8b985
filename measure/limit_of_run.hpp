#pragma once
// The least time that a run could take on this machine, and what it is that bounds it.

#include "measure/limits.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace dcube::measure {

/// What a run asks of the machine.
struct Demand {
    unsigned threads = 1;
    std::uint64_t nodes = 0;
    std::uint64_t steps = 0;
    std::uint64_t transmissions = 0;
    std::size_t packet_bytes = 0;         ///< on average, where they differ
    std::uint64_t working_set_bytes = 0;  ///< input, output and packets under way, of all nodes
};

struct LimitOfRun {
    double seconds = 0;
    std::string binds;  ///< "scattered 64-byte copies", "copies" or "steps"
};

/// The larger one of
///  - what copying every transmission's bytes once takes: scattered blocks of that size, or, of packets larger than any
///    block measured, contiguous copies; rates are interpolated between the sizes measured, linear in their logarithms;
///  - a barrier for every step.
/// Empty where nothing was measured with as many threads, and where the run does nothing.
std::optional<LimitOfRun> limit_of_run(const Limits& limits, const Demand& demand);

}  // namespace dcube::measure
