#pragma once
// What programs and searches do with schedules (<dcube/schedule.hpp>), beside what everybody may.

#include <dcube/schedule.hpp>
#include <dcube/topology.hpp>

#include <vector>

namespace dcube::detail {

// The kind of a node in a translated schedule, and the least node of a kind.
NodeId kind_of(const Topology& topology, const std::vector<unsigned>& alternating, NodeId node);
NodeId least_of_kind(const Topology& topology, const std::vector<unsigned>& alternating, NodeId kind);

// The hop that this hop of a translated schedule is for a node of its kind.
Hop translated(const Topology& topology, const Hop& hop, NodeId node);

// With its hops in the order of their steps.
Schedule in_order(Schedule schedule);

}  // namespace dcube::detail
