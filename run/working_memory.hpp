#pragma once
// The memory of a run besides the data and the machine.

#include <dcube/catalogue.hpp>
#include <dcube/machine.hpp>

namespace dcube {

/// Bytes of all nodes together: in-transit storage, the plan, and what nodes note of packets while they run.
std::uint64_t working_memory(const Algorithm& algorithm, const Topology& topology, const Problem& problem);
/// The share of this rank's nodes.
std::uint64_t own_working_memory(const Machine& machine, const Algorithm& algorithm, const Problem& problem);

/// Bytes of such a machine and its data, in the rank of its world that needs most.
std::uint64_t memory_of_a_rank(const Algorithm& algorithm, const Topology& topology, const MachineOptions& machine,
                               const Problem& problem);

}  // namespace dcube
