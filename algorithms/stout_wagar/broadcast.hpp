#pragma once
// Waves of packets that leave the root on all links at once (Stout & Wagar 1990, section 3, BROADCAST 3 and 4).

#include "algorithms/programs/stream.hpp"

namespace dcube::detail {

// idx(n, j): which of the d packets of a group node n sends on link j. j if bit j of n is 1, else the first 1 met going
// up cyclically; j at node 0.
Port wave_index(unsigned d, NodeId node, Port port);

// BROADCAST 4: groups a stage apart, and a second wave one packet on behind the last group.
WaveRule pipelined_waves(std::uint32_t groups);

}  // namespace dcube::detail
