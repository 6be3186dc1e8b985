#pragma once
// Schedules of priced routes for the collectives that have a sender and a receiver for every packet.

#include "algorithms/programs/schedule.hpp"
#include "collectives/graphs/arcs.hpp"
#include "collectives/graphs/prices.hpp"

#include <dcube/link.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <memory>

namespace dcube::detail {

struct RoutePlan {
    Schedule schedule{};
    std::uint32_t top = 0;       // the largest load: of arcs, or with one port of senders and receivers
    std::uint32_t in_front = 0;  // uneven messages: packets of every one that go first, by the staircase
};

// All rounds' schedule. The last few are kept.
std::shared_ptr<const RoutePlan> priced_route_plan(const Topology& topology, const Problem& problem, PortModel ports);

// Hops of all packets on shortest paths.
std::uint64_t least_hops(const Topology& topology, const Problem& problem);
// The elementary operations, about, that making the plan takes.
std::uint64_t priced_route_work(const Topology& topology, const Problem& problem, PortModel ports);

}  // namespace dcube::detail
