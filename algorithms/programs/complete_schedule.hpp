#pragma once
// Whether a schedule that did not come from a planner of this process keeps the rules and achieves its collective: what
// a run would find out, without one.

#include <dcube/ports.hpp>
#include <dcube/problem.hpp>
#include <dcube/schedule.hpp>
#include <dcube/topology.hpp>

namespace dcube::detail {

// Throws InvalidArgument, saying what is wrong first. Of symmetry none or translated.
void require_complete(const Schedule& schedule, const Topology& topology, PortModel ports, const Problem& problem);

}  // namespace dcube::detail
