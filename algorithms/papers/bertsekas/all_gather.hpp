#pragma once
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/schedule.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/topology.hpp>

#include <cstdint>

namespace dcube::detail {

// Every node's m packets to all (translated): Bertsekas et al. 1991, section 2.
Schedule all_gather_schedule(const Topology& topology, std::uint32_t packets);

// The phases of it, or of it backwards in a reduce-scatter.
Phases all_gather_phases(const Topology& topology, std::uint64_t packets, Direction direction);

// The entry of any planned all-gather in which every packet reaches every node once, or of it backwards.
Entry planned_all_gather_entry(Entry head, Schedule (*schedule)(const Topology& topology, std::uint32_t packets),
                               Phases (*phases)(const Topology& topology, std::uint64_t packets, Direction direction));

}  // namespace dcube::detail
