#pragma once
// Where nodes are missing, bounds are found and schedules planned for the members alone, which then have their numbers
// as ids (Topology::of_members).

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

namespace dcube::detail {

// The problem as it is for topology.of_members(): the same if no node is missing.
Problem of_members(const Problem& problem, const Topology& topology);

}  // namespace dcube::detail
