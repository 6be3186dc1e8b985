#pragma once
// Messages that go from one node to another on a network whose nodes or links differ.

#include "algorithms/beyond/any_network/transports.hpp"

#include <cstdint>
#include <span>

namespace dcube::detail {

struct Sending {
    Fragment message;
    NodeId from;
    NodeId to;
};

// When messages that are joined to one packet leave: those of all hops one after the other, or so that all arrive with
// the last hop.
enum class Joining : std::uint8_t { together, farthest_first };

// The plan of least time among those that cut messages into 1, 2, .. pieces, and one that joins what goes the same way
// at the same time.
TransportPlan send_on_priced_paths(const TimedArcs& arcs, std::span<const Sending> messages, Joining joining);

// About how many operations that takes; `longest`: the bytes of the longest message.
std::uint64_t work_of_sending(const Topology& topology, std::uint64_t messages, std::uint64_t longest);

}  // namespace dcube::detail
