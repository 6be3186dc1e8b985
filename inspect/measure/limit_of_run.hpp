#pragma once
// The least time that a run could take on this machine, and what it is that bounds it.

#include "inspect/measure/limits.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace dcube::measure {

/// The work that a run asks of the machine.
struct Demand {
    unsigned threads = 1;
    std::uint64_t steps = 0;
    std::uint64_t transmissions = 0;
    std::size_t packet_bytes = 0;  ///< on average, where they differ
    std::uint64_t data_bytes = 0;  ///< input and output of all nodes
    /// Packets between nodes of different threads' shares, in all steps; 0 where that is not known.
    std::uint64_t crossing_packets = 0;
    std::optional<std::uint64_t> steps_together{};  ///< steps that all threads ran; empty where that is not known
};

struct LimitOfRun {
    double seconds = 0;
    std::string binds;  ///< "scattered 64-byte copies", "copies", "steps" or "lines from other cores"
};

/// The largest one of
///  - what copying every transmission's bytes once takes. Input must be read and output be written, at best as
///    contiguous copies of half as many bytes; all others are scattered blocks of the packets' size (contiguous ones if
///    larger than any block measured), at best in a working set that holds no more than what one step sends. Rates are
///    the best that were measured, interpolated between the sizes measured, linear in their logarithms; a larger block
///    is no slower than a smaller one, nor a smaller working set than a larger one;
///  - the best barrier for every step that all threads ran, and for every other one what a step costs one thread; where
///    it is not known which steps were run how, the smaller of the two for all;
///  - the cache lines of the packets that cross from one thread to another, in the share of steps that all threads ran;
///    every thread reads them at the best rate between any two processors. That holds while the lines are in the cache
///    of the core that wrote them, so only where what one step sends fits into the smallest working set of blocks.
/// Empty where nothing was measured with as many threads, and where the run does nothing.
std::optional<LimitOfRun> limit_of_run(const Limits& limits, const Demand& demand);

/// The cache lines that a packet from another core brings along: its part of the line that its place in the channel
/// lies in, and, unless that holds the packet itself, those of its bytes.
double lines_of_packet(std::size_t bytes);

/// The largest share of a limit that is shown as 100 %. More is a reason to doubt the limit.
constexpr double highest_share = 1.005;

/// Why a limit of which a run has reached that share is not to be trusted, in a few words: it is above 1, which a limit
/// forbids, or the limits were measured under a warning. Empty if there is no reason.
std::string limit_doubt(const Limits& limits, double share);

}  // namespace dcube::measure
