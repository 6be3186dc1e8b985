#pragma once
// All limits of this machine, measured one after the other.

#include "measure/effort.hpp"
#include "measure/limits.hpp"

#include <dcube/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dcube::measure {

struct Host;

/// What is to be measured, and how thoroughly.
struct LimitsPlan {
    std::vector<unsigned> threads;      ///< ascending; none more than there are processors to use
    std::uint64_t most_bytes = 0;       ///< the largest working set
    std::vector<std::uint64_t> blocks;  ///< bytes; empty: all powers of two from 8 to 4096
    std::vector<std::uint64_t> nodes{1U << 6U, 1U << 10U, 1U << 14U};  ///< of machines whose steps are empty
    std::vector<unsigned> handover_processors;  ///< between each two of which a cache line is handed over
    std::vector<unsigned> pin_to;               ///< the processors that threads keep to, in turn; empty: anywhere
    std::string pin = "none";
    bool quick = false;        ///< roughly, which is said of the limits
    MachineOptions machine{};  ///< that makes the steps; its number of threads is set
    Effort effort{};
};

/// The usual plan, of about ten seconds on two processors; a tenth of that if `quick`.
LimitsPlan usual_plan(const Host& host, std::vector<unsigned> threads, bool quick);

/// How many figures that are: how often Effort::before_each will be called.
std::size_t figures(const LimitsPlan& plan, const Host& host);

Limits measured_limits(const LimitsPlan& plan, const Host& host);

}  // namespace dcube::measure
