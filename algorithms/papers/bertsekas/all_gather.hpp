#pragma once
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/schedule.hpp"

#include <dcube/link.hpp>
#include <dcube/topology.hpp>

namespace dcube::detail {

// Every node's m packets to all (translated): Bertsekas et al. 1991, section 2; on one port by recursive doubling.
Schedule all_gather_schedule(const Topology& topology, PortModel ports, std::uint32_t packets);

// What is done when in it, or backwards in a reduce-scatter.
Phases all_gather_phases(const Topology& topology, PortModel ports, std::uint64_t packets, Direction direction);

}  // namespace dcube::detail
