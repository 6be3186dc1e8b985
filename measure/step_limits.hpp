#pragma once
// What a step of the machine costs when nobody does anything in it, and what a channel costs.

#include "measure/effort.hpp"
#include "measure/limits.hpp"

#include <dcube/machine.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace dcube::measure {

/// A step of the smallest machine on which so many threads work, where only every 16th node has not ended: what is left
/// is the clock and its barrier. Throws InvalidArgument where the machine gets fewer threads than options.threads.
double barrier_seconds(const MachineOptions& options, const Effort& effort);

/// A step of hypercubes in which every node is resumed and does nothing. `nodes` are powers of two, of at least 64.
/// Fewer threads work where so few nodes are worth no more.
std::vector<EmptyStep> empty_steps(std::span<const std::uint64_t> nodes, const MachineOptions& options,
                                   const Effort& effort);

/// A packet's 32 bytes through the reference channel (--channel spsc), a boost::lockfree::spsc_queue of 64 places:
/// pushed and popped in turn by one thread, and pushed by one and popped by another as fast as both can. The threads
/// are those of the team; with one thread only the first is measured.
ChannelLimits channel_limits(Team& team, const Effort& effort);

}  // namespace dcube::measure
