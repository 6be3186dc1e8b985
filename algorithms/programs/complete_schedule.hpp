#pragma once
// Whether a schedule that did not come from a planner of this process keeps the rules and achieves its collective: what
// a run would find out, without one.

#include <dcube/ports.hpp>
#include <dcube/problem.hpp>
#include <dcube/schedule.hpp>
#include <dcube/topology.hpp>

#include "base/bytes.hpp"

namespace dcube::detail {

// Throws InvalidArgument, saying what is wrong first. Of symmetry none or translated.
void require_complete(const Schedule& schedule, const Topology& topology, PortModel ports, const Problem& problem);

// A schedule as bytes, and back. Reading throws InvalidArgument for bytes that are none; what the schedule says may
// still be nonsense.
void write_schedule(ByteWriter& bytes, const Schedule& schedule);
Schedule read_schedule(ByteReader& bytes);

}  // namespace dcube::detail
