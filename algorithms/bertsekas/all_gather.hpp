#pragma once
#include "algorithms/programs/schedule.hpp"

#include <dcube/ports.hpp>
#include <dcube/topology.hpp>

namespace dcube::detail {

// Every node's m packets to all (translated): Bertsekas et al. 1991, section 2; on one port by recursive doubling.
Schedule all_gather_schedule(const Topology& topology, PortModel ports, std::uint32_t packets);

}  // namespace dcube::detail
