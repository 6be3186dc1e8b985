#pragma once
// Schedules of shortest paths, for the collectives that shortest_paths.cpp lists.

#include "algorithms/programs/schedule.hpp"

#include <dcube/ports.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <memory>

namespace dcube::detail {

// The schedule, which is carried out shortest_path_rounds times. The last few are kept.
std::shared_ptr<const Schedule> shortest_path_schedule(const Topology& topology, const Problem& problem,
                                                       PortModel ports);
std::uint32_t shortest_path_rounds(const Topology& topology, const Problem& problem);

// The elementary operations, about, that making it takes.
std::uint64_t shortest_path_work(const Topology& topology, const Problem& problem);

// Whether one node's schedule is everybody's.
bool has_translated_paths(const Topology& topology, const Problem& problem);

}  // namespace dcube::detail
