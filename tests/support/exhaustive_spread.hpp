#pragma once
// Whether every node can have every packet in a number of steps at all: every schedule is tried, on tiny networks.

#include <dcube/link.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <vector>

namespace dcube::test {

/// The least steps in which all nodes have all packets. held[node]: bit p if it has packet p at the start; at most 16
/// packets.
unsigned least_steps_to_spread(const Topology& topology, PortModel ports, std::vector<std::uint16_t> held,
                               unsigned packets);

}  // namespace dcube::test
