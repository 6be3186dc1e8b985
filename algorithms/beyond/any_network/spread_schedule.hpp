#pragma once
// Spreads as schedules of broadcast, reduce, all-gather and reduce-scatter.

#include "algorithms/beyond/any_network/spread.hpp"

#include <dcube/link.hpp>
#include <dcube/problem.hpp>
#include <dcube/schedule.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <memory>

namespace dcube::detail {

// The spread that the collective, or what it is backwards, is made of; in an all-gather the members' packets stand in
// their order. The last few are kept.
std::shared_ptr<const MovePlan> kept_spread(const Topology& topology, const Problem& problem, PortModel ports);
// The number of packets of that spread, and the approximate number of operations that it takes.
std::uint64_t spread_packets(const Topology& topology, const Problem& problem);
std::uint64_t spread_plan_work(const Topology& topology, const Problem& problem, PortModel ports);

Schedule spread_schedule(const Topology& topology, const Problem& problem, PortModel ports);

}  // namespace dcube::detail
