#pragma once
// BROADCAST 1 to 4 (Stout & Wagar 1990, section 2), and the waves of 3 and 4, which other algorithms use too: the
// packet among P_0, .., P_(d-1) that node n sends on link j in stage k.

#include "algorithms/papers/stout_wagar/groups.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/stream.hpp"

#include <dcube/algorithm.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace dcube::detail {

using Sent = std::optional<std::uint32_t>;
inline constexpr std::nullopt_t silent = std::nullopt;

// The packet of a wave that node n sends on link j: j if bit j of n is 1, else the first 1 met going up cyclically; j
// at node 0.
Port idx(unsigned d, NodeId n, Port j);

// BROADCAST 3B.
Sent two_waves(unsigned d, NodeId n, Port j, Step k);
// BROADCAST 4: packet q d + i is P_i of group q.
WaveRule pipelined(std::uint32_t groups);

// The broadcasts of the paper, and BROADCAST 4 without packets that bring nothing new.
Stream broadcast_1(const Topology& topology, const Problem& problem);
Stream broadcast_2(const Topology& topology, const Problem& problem);
Stream broadcast_3a(const Topology& topology, const Problem& problem);
Stream broadcast_3b(const Topology& topology, const Problem& problem);
Stream broadcast_4(const Topology& topology, const Problem& problem);
Stream pipelined_pruned(const Topology& topology, const Problem& problem);
// The groups of the last two: those that the problem asks for, or those of least time.
std::uint32_t pipelined_groups(const GroupedMessage& message, const Problem& problem);
// (d + g - 1)(tau ceil(m/(dg)) + beta), for the best g or the one that is asked for.
Exact pipelined_time(const Topology& topology, const Problem& problem);
// BROADCAST 1 of one packet in unit steps: the program of every node (unit_broadcast.cpp).
CollectiveProgram doubling_program(const Topology& topology, const Problem& problem);

// The phases of the groups of BROADCAST 4 when they move backwards, in a reduction.
Phases reduced_phases(const Topology& topology, const Problem& problem);
// The phases of any groups that go out one behind the other, in `levels` levels each.
Phases forward_groups(std::uint64_t groups, std::uint64_t levels, std::uint64_t stages, std::string_view ways);

// A message that is cut in groups of d packets and sent by a rule.
Stream wave_stream(const GroupedMessage& message, std::uint32_t groups, Step stages, WaveRule rule,
                   std::uint64_t transmissions);

}  // namespace dcube::detail
